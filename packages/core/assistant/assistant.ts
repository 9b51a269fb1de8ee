/** The reserved user that the assistant's drops are from: `private.system_user_id` in SQL. */
export const ASSISTANT_ID = "00000000-0000-4000-8000-000000000001";

/** Gives the assistant its configured name, and leaves other users as they are. */
export function nameAssistant<Shown extends { readonly id: string; readonly full_name: string | null }>(
  user: Shown,
  assistantName: string,
): Shown {
  return user.id === ASSISTANT_ID ? { ...user, full_name: assistantName } : user;
}
