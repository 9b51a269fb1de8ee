const HOUR = 3600;

/** The largest photo or picture that a form may have, in bytes: a request to a deployed function has at most 4.4 MB. */
export const MAX_PHOTO_IN_FORM_BYTES = 4 * 1024 ** 2;
/** The largest photo of a check-in, in bytes. */
export const MAX_PHOTO_BYTES = 10 * 1024 ** 2;
/** The largest picture of an entry, in bytes. */
export const MAX_PICTURE_BYTES = 20 * 1024 ** 2;
/** "50 megapixels": sensors that are sold as such have up to 8,192 x 6,144. */
export const MAX_MEGAPIXELS = 50;
/** The longer side of a stored picture and of its thumbnail, in pixels. */
export const PICTURE_SIDE = 2_048;
export const THUMBNAIL_SIDE = 400;
/** How long a further photo of a person waits for the one before it, in seconds. */
export const PHOTO_TURN_SECONDS = 2;
/** How old an access token may be to do what cannot be undone, in seconds. */
export const MAX_FRESH_TOKEN_SECONDS = 600;
/** How long a signed address of a photo or an export works, in seconds. */
export const PHOTO_URL_SECONDS = 15 * 60;
/**
 * How long a signed address of a picture, background or mosaic works, in seconds. It is shorter than the life of the
 * temporary credentials that sign it, because it expires with them.
 */
export const PICTURE_URL_SECONDS = HOUR;
/** How long a photo can be sent to an upload address, in seconds. */
export const PHOTO_UPLOAD_SECONDS = 15 * 60;
/** How long an archive can be sent to its upload address, in seconds. */
export const ARCHIVE_UPLOAD_SECONDS = HOUR;
/** How long an import works while others wait, in seconds. */
export const IMPORT_TURN_SECONDS = 30;
/** How old a signed event of a vendor may be, in seconds, so that a copy of it is useless later. */
export const MAX_EVENT_AGE_SECONDS = 300;

/** More unread notifications than this are not counted. */
export const MAX_COUNTED_NOTIFICATIONS = 1_000;

/** The largest number that the icon of an app shows. */
export const MAX_BADGE = 99;

/** How old the ranks behind the first ones may be, in seconds; the job runs more often. */
export const MAX_RANKS_AGE_SECONDS = 300;

// Limits that SQL applies and texts name. A test holds SQL against them.
export const EARLY_CHIPS = 0.5;
export const STREAK_CHIPS = 2;
export const DEFAULT_STATS_DAYS = 30;
export const MAX_AUDIENCE_COUNTED = 10_000;
export const MAX_COMMENTERS_NOTIFIED = 50;
export const MAX_DEVICES = 20;
export const MAX_ENTRIES_COUNTED = 1_000;
export const MAX_ENTRIES_ON_THIS_DAY = 100;
export const MAX_ENTRIES_SEARCHED = 5_000;
export const MAX_EXAMPLES = 20;
export const MAX_MOODS_COUNTED = 1_000;
export const MAX_PICTURES_LISTED = 400;
export const MAX_PICTURES_OF_ENTRY = 20;
export const MAX_RECONCILIATION_DIFFERENCES = 100;
export const MAX_SHARED_ORGANIZATIONS = 500;
export const MAX_STATS_DAYS = 366;
export const MAX_TAGS_OF_STATS = 20;
export const MAX_TOKENS = 20;
export const NOTES_DAYS = 7;
export const PLAYED_TOGETHER_DAYS = 30;
export const REMINDER_MINUTES = 30;
export const RANKS_COUNTED_AT_ONCE = 1_000;
/** How long what was uploaded and is not used stays, in seconds. */
export const UNUSED_UPLOAD_SECONDS = HOUR;
export const UNUSED_ARCHIVE_SECONDS = 24 * HOUR;
export const UNNEEDED_ARCHIVE_SECONDS = 2 * HOUR;
