// Scalar must not call any other server: no proxy, no telemetry, no hosted fonts, no assistant, no buttons to its own services.
const CONFIGURATION = {
  url: "/openapi.json",
  agent: { disabled: true },
  // Shows the field for an access token; the document calls it so.
  authentication: { preferredSecurityScheme: "bearer" },
  hideClientButton: true,
  persistAuth: true,
  showDeveloperTools: "never",
  telemetry: false,
  withDefaultFonts: false,
};

/** The API reference: Scalar's own script, served from the installed package, over /openapi.json. */
export const REFERENCE_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Nectar API reference</title>
<link rel="icon" href="data:,">
</head>
<body>
<div id="reference"></div>
<script src="/docs/assets/reference.js"></script>
<script>
const configuration = ${JSON.stringify(CONFIGURATION)};
Scalar.createApiReference("#reference", { ...configuration, servers: [{ url: location.origin, description: "This machine" }] });
</script>
</body>
</html>
`;

/** Lets the browser refuse every other address, in case an option of Scalar changes its meaning. */
export const REFERENCE_PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "media-src 'self' data: blob:",
  "worker-src 'self' blob:",
  "connect-src 'self'",
  "base-uri 'none'",
].join("; ");
