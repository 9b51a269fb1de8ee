/** The bucket of private files in the local stack. */
export const localFilesBucket = "nectar-files";

/** The one key pair that the local file store knows: this is its id and its secret. */
export const localFilesKey = "S3RVER";
