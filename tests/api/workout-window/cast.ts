import { beforeAll, beforeEach } from "vitest";
import type { TestApi } from "../../support/api.ts";
import type { Person } from "../../support/people.ts";

/** Four people who are new in each test, and an admin and a super admin for the whole file. */
export function castOf(api: TestApi) {
  let ada: Person;
  let ben: Person;
  let cleo: Person;
  let dora: Person;
  let admin: Person;
  let superAdmin: Person;

  beforeAll(async () => {
    admin = await api.person({ role: "admin" });
    superAdmin = await api.person({ role: "super_admin" });
  });
  beforeEach(async () => {
    [ada, ben, cleo, dora] = [await api.person(), await api.person(), await api.person(), await api.person()];
  });
  return {
    get ada() {
      return ada;
    },
    get ben() {
      return ben;
    },
    get cleo() {
      return cleo;
    },
    get dora() {
      return dora;
    },
    get admin() {
      return admin;
    },
    get superAdmin() {
      return superAdmin;
    },
  };
}
