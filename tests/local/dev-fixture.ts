import { runDev } from "@nectar/local/dev";

// The local stack around the smallest possible API: it tells what it was given, without giving secrets away.
await runDev({
  createApi: async (environment) => ({
    fetch: (request) => {
      const { pathname } = new URL(request.url);
      return Response.json({
        path: pathname,
        superAdmins: environment.SUPER_ADMIN_EMAILS,
        issuer: environment.SUPABASE_JWT_ISSUER,
        given: Object.keys(environment).sort(),
      });
    },
    close: async () => console.log("the API was closed"),
  }),
});
