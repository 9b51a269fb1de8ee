import { beforeAll, describe, expect, it } from "vitest";
import { DEPLOYER, declaredOf, environmentOf, type Recording, recordDeployment } from "./sst-recorder.ts";

const { METRICS_NAMESPACE: _, ...WITHOUT_NAMESPACE } = DEPLOYER;
let staging: Recording;

beforeAll(async () => {
  staging = await recordDeployment("staging", WITHOUT_NAMESPACE);
});

describe("the alarms", () => {
  it("and the dashboard are those of their stage", () => {
    for (const kind of ["MetricAlarm", "Dashboard"]) {
      const declared = JSON.stringify(declaredOf(staging, kind));
      expect(declared).toContain("nectar-staging");
      expect(declared).not.toContain("nectar-production");
    }
  });

  it("and the dashboard are left out without an address", async () => {
    const { ALARM_EMAIL: __, ...withoutAddress } = DEPLOYER;
    const { declared } = await recordDeployment("production", withoutAddress);
    const kinds = new Set(declared.map(({ kind }) => kind));
    for (const kind of ["Topic", "TopicSubscription", "MetricAlarm", "Dashboard"]) expect(kinds).not.toContain(kind);
  });

  it("need a namespace with metrics", async () => {
    const recording = recordDeployment("staging", { ...DEPLOYER, METRICS_NAMESPACE: "" });
    await expect(recording).rejects.toThrow("ALARM_EMAIL needs metrics");
    const { ALARM_EMAIL: __, ...withoutAddress } = DEPLOYER;
    await recordDeployment("staging", { ...withoutAddress, METRICS_NAMESPACE: "" });
  });

  it("need an address that can be one", async () => {
    await expect(recordDeployment("staging", { ...DEPLOYER, ALARM_EMAIL: "operator" })).rejects.toThrow("ALARM_EMAIL");
  });
});

describe("the metrics", () => {
  it("of every function are in the namespace of the stage, unless the deployer sets one", async () => {
    const namespaces = (recording: Recording) =>
      new Set(declaredOf(recording, "Function").map(({ args }) => environmentOf(args).METRICS_NAMESPACE));
    expect([...namespaces(staging)]).toEqual(["nectar-staging"]);
    expect([...namespaces(await recordDeployment("staging", DEPLOYER))]).toEqual(["set METRICS_NAMESPACE"]);
  });
});
