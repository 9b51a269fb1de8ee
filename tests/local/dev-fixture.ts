import { runDev } from "#local/dev";

// The local stack around a minimal API, which responds with the names of its variables and no secrets.
await runDev({
  createApi: async (environment) => ({
    fetch: (request) => {
      const { pathname } = new URL(request.url);
      return Response.json({
        path: pathname,
        superAdmins: environment.SUPER_ADMIN_EMAILS,
        issuer: environment.SUPABASE_JWT_ISSUER,
        variables: Object.keys(environment).sort(),
      });
    },
    close: async () => console.log("the API was closed"),
  }),
});
