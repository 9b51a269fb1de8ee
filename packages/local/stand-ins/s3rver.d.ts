/** The part of s3rver that we use; the package brings no types of its own. */
declare module "s3rver" {
  interface S3rverOptions {
    /** Prints every request otherwise. */
    silent: boolean;
    directory: string;
    /** Whether the first label of a host name may be a bucket. */
    vhostBuckets: boolean;
    configureBuckets: { name: string }[];
  }

  class S3rver {
    constructor(options: S3rverOptions);
    /** Makes the buckets of the options that are not there. */
    configureBuckets(): Promise<unknown>;
    callback(): import("node:http").RequestListener;
  }

  export = S3rver;
}
