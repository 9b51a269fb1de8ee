import type { ErrorCode } from "@nectar/core/errors";

/** What each error raised by our own SQL functions means to a caller; supabase/ERROR_CODES.md explains them. */
export const SQLSTATES: Readonly<Record<string, { readonly code: ErrorCode; readonly message: string }>> = {
  NX001: { code: "user.not_found", message: "There is no such user." },
  NX002: { code: "drops.insufficient_balance", message: "There are not enough drops." },
  NX003: { code: "auth.forbidden", message: "You may not do this." },
  NX004: { code: "organization.not_a_member", message: "This user is not a member of the organization." },
  NX005: { code: "organization.owner_cannot_leave", message: "Transfer the ownership first." },
  NX006: { code: "team.last_admin", message: "The last admin cannot leave the team." },
  NX007: { code: "team.primary_admin_protected", message: "Change the primary admin through the team." },
  NX008: { code: "admin.last_super_admin", message: "The last super admin stays one." },
  NX009: { code: "drops.balance_too_high", message: "The balance cannot hold so many drops." },
  NX010: { code: "drops.transaction_not_found", message: "There is no such transaction." },
  NX011: { code: "drops.not_refundable", message: "Only a purchase can be refunded." },
  NX012: { code: "drops.already_refunded", message: "This purchase was refunded before." },
  NX013: { code: "tone_pack.not_found", message: "There is no such tone pack." },
  NX014: { code: "tone_pack.own_pack", message: "This tone pack is your own." },
  NX015: { code: "tone_pack.already_purchased", message: "You have bought this tone pack before." },
  NX016: { code: "tone_pack.price_changed", message: "The price is not the expected one." },
  NX017: { code: "service.unexpected", message: "Something went wrong on our side." },
};
