/** Whether this is the long run (`npm run test:long`): more random cases, new ones each time, and larger crowds. */
export const LONG = process.env.NECTAR_TEST_LONG === "1";
