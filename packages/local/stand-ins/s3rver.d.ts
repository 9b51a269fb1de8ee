/** The part of s3rver that we use; the package has no types. */
declare module "s3rver" {
  interface S3rverOptions {
    /** Whether to log no requests. */
    silent: boolean;
    directory: string;
    /** Whether the first label of a host name may be a bucket. */
    vhostBuckets: boolean;
    configureBuckets: { name: string }[];
  }

  class S3rver {
    constructor(options: S3rverOptions);
    /** Creates the missing buckets of the options. */
    configureBuckets(): Promise<unknown>;
    callback(): import("node:http").RequestListener;
  }

  export = S3rver;
}
