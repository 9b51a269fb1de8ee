/** What can happen to an account; a purchase is known by the name of its event. */
export type Command =
  | { readonly kind: "award"; readonly month: string }
  | { readonly kind: "adjust"; readonly amount: number }
  | { readonly kind: "purchase"; readonly price: number; readonly event: string }
  | { readonly kind: "refund"; readonly purchase: string };

/** The ledger of one person as it should be: plain arithmetic, no database. */
export interface ModelAccount {
  readonly balance: number;
  readonly months: readonly string[];
  readonly purchases: Readonly<Record<string, number>>;
  readonly refunded: readonly string[];
}

/** An account as signing up leaves it. */
export const SIGNED_UP: ModelAccount = { balance: 50, months: [], purchases: {}, refunded: [] };

/** What a command comes to: the account afterwards, and drops moved, "nothing", or the SQLSTATE that refuses it. */
export interface Step {
  readonly account: ModelAccount;
  readonly outcome: number | string;
}

/** Applies a command to the model. */
export function apply(account: ModelAccount, command: Command): Step {
  const refuse = (outcome: string): Step => ({ account, outcome });
  switch (command.kind) {
    case "award":
      if (account.months.includes(command.month)) return refuse("nothing");
      return moved({ ...account, months: [...account.months, command.month] }, 30);
    case "adjust":
      return account.balance + command.amount < 0 ? refuse("NX002") : moved(account, command.amount);
    case "purchase":
      if (account.purchases[command.event] !== undefined) return refuse("nothing");
      if (account.balance < command.price) return refuse("NX002");
      return moved(
        { ...account, purchases: { ...account.purchases, [command.event]: command.price } },
        0 - command.price,
      );
    case "refund": {
      const price = account.purchases[command.purchase];
      if (price === undefined) return refuse("NX010");
      if (account.refunded.includes(command.purchase)) return refuse("NX012");
      return moved({ ...account, refunded: [...account.refunded, command.purchase] }, price);
    }
  }
}

function moved(account: ModelAccount, amount: number): Step {
  return { account: { ...account, balance: account.balance + amount }, outcome: amount };
}
