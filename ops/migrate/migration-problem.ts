/** Why the database cannot be migrated. The message is for the operator and contains neither secrets nor data. */
export class MigrationProblem extends Error {
  override name = "MigrationProblem";
}

/** The database was migrated with other files than these. */
export class HistoryProblem extends MigrationProblem {
  override name = "HistoryProblem";
}
