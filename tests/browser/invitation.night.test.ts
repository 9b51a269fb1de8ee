import { expect, test } from "vitest";
import { tokenOf } from "../local/dev-process.ts";
import { useDevPage } from "./dev-page.ts";

const dev = useDevPage();

test("the mailbox has an invitation of the demo user, whose link opens a page that accepts it", async () => {
  const { page, stack } = dev;
  await page.goto(`http://127.0.0.1:${stack.environment.LOCAL_MAIL_PORT}`);
  const mail = page.getByRole("article").filter({ hasText: "You are invited to an organization" });
  await mail.getByRole("link", { name: "Open the link of this mail" }).click();
  await page.getByText("Leila Farahani invites you to join Long Letters as member").waitFor();
  const token = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  expect(token).toMatch(/^[\w-]{43}$/);

  await page.getByRole("button", { name: "Accept as demo@nectar.local" }).click();
  await page.getByText("demo@nectar.local is in Long Letters now, with the role member.").waitFor();
  const headers = { authorization: `Bearer ${await tokenOf(stack, "demo@nectar.local")}` };
  const response = await fetch(`${stack.apiUrl}/api/organizations`, { headers });
  expect(await response.json()).toMatchObject({
    organizations: expect.arrayContaining([expect.objectContaining({ name: "Long Letters" })]),
  });

  await page.goto(page.url());
  await page.getByText("This invitation does not exist").waitFor();
  expect(dev.output()).toContain("/api/invitations/accept");
  expect(dev.output()).not.toContain(token);
  expect(dev.pageErrors).toEqual([]);
});

test("the mails of the demo data have a button that unsubscribes", async () => {
  const { page, stack } = dev;
  await page.goto(`http://127.0.0.1:${stack.environment.LOCAL_MAIL_PORT}`);
  const mail = page.getByRole("article").filter({ hasText: "You are invited to an organization" });
  await mail.getByRole("button", { name: "Unsubscribe" }).click();
  await mail.getByText("sent, delivered, unsubscribed").waitFor();
});
