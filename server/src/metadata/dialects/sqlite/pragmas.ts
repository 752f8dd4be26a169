/** For a new file: one with tables would need a `vacuum`. It writes each time, so it would fail on a full disk. */
export const newFilePragma = 'pragma auto_vacuum = incremental'

/**
 * The settings of a connection that writes. The log grows while a reader, such as an export, holds a snapshot, and is truncated to its limit afterwards.
 */
export const writerPragmas = `
  pragma journal_mode = wal;
  pragma secure_delete = on;
  pragma foreign_keys = on;
  pragma temp_store = memory;
  pragma cache_size = -16000;
  pragma wal_autocheckpoint = 8000;
  pragma journal_size_limit = 67108864;
`
