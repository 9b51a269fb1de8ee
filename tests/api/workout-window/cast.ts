import type { TestApi } from "../../support/api.ts";
import { beforeEachTest, beforeTests } from "../../support/prepare.ts";

/** Four people who are new in each test, and an admin and a super admin for the whole file. */
export function castOf(api: TestApi) {
  return {
    ada: beforeEachTest(() => api.person()),
    ben: beforeEachTest(() => api.person()),
    cleo: beforeEachTest(() => api.person()),
    dora: beforeEachTest(() => api.person()),
    admin: beforeTests(() => api.person({ role: "admin" })),
    superAdmin: beforeTests(() => api.person({ role: "super_admin" })),
  };
}
