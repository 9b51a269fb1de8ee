import { startTestCluster } from "#local/database/test-cluster";

// A test run that never ends by itself: it prints its port and waits for a signal.
const { cluster } = await startTestCluster();
console.log(`cluster ${cluster.port} ready`);
setInterval(() => undefined, 60_000);
