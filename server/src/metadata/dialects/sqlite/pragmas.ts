/**
 * The settings of a connection that writes. `auto_vacuum` takes effect in a new file; a file with tables needs a `vacuum`
 * first. The log grows while a reader, such as an export, holds a snapshot, and is truncated to its limit afterwards.
 */
export const writerPragmas = `
  pragma auto_vacuum = incremental;
  pragma journal_mode = wal;
  pragma secure_delete = on;
  pragma foreign_keys = on;
  pragma temp_store = memory;
  pragma cache_size = -16000;
  pragma wal_autocheckpoint = 8000;
  pragma journal_size_limit = 67108864;
`
