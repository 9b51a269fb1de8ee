import type { TestApi } from "#tests/api";
import { beforeEachTest, beforeTests } from "#tests/prepare";

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
