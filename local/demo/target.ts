/** The services that the demo data is written to. */
export interface SeedTarget {
  /** Superuser connection URL of the database. */
  adminUrl: string;
  supabaseUrl: string;
  publishableKey: string;
  /** Key that may write to the storage of that Supabase; without it no images are stored. */
  secretKey?: string;
  /** Variables of the stand-in for private files; without them no mosaics are drawn. */
  files?: Readonly<Record<string, string>>;
}
