import type { CompiledQuery, Dialect, Kysely, QueryExecutorProvider, QueryResult } from 'kysely'

/** The differences between databases, as data. Queries check a capability, never the name of a product. */
export interface Capabilities {
  /** Whether an index can have a condition (`where`). */
  readonly partialIndexes: boolean
  /** Whether a foreign key is declared with its column. Otherwise it is a constraint of its table. */
  readonly inlineReferences: boolean
  /** Whether dropping an index needs the name of its table. */
  readonly indexesBelongToTables: boolean
  /**
   * The order in which a table is stored: that of its primary key if the table is created `without rowid`, or an order
   * that the database determines.
   */
  readonly tableOrder: 'by key on request' | 'fixed'
  /** The syntax of an insertion that updates an existing row. */
  readonly upsert: 'on conflict' | 'on duplicate key'
  /** Whether a statement returns free pages to the file system, or the database only reuses them. */
  readonly freePages: 'incremental' | 'reused'
  /** When the log is copied into the tables: in a commit when it is long, or concurrently with commits. */
  readonly checkpoints: 'in commits' | 'automatic'
  /** Whether a query can lock the rows that it reads. Without row locks, there is one writer at a time. */
  readonly rowLocks: boolean
  /** Whether a subquery in `from` can use the columns of the ones before it. */
  readonly lateralJoins: boolean
  /** Whether a query can name an index that the planner must not use. */
  readonly indexHints: boolean
  /** The type of a column of bytes, of up to 64 KiB. */
  readonly bytesType: 'blob' | 'bytea'
  /** A collation that compares code points, including trailing spaces; null if that is the default. */
  readonly textCollation: string | null
  /** A collation with which `lower` works for every alphabet; null if it does so by default. */
  readonly caseCollation: string | null
}

/**
 * Runs a statement synchronously.
 * @param inTransaction whether it belongs to the open transaction
 * @returns undefined when the statement has to wait
 */
export type RunSynchronously = <Row>(
  query: CompiledQuery<Row>,
  inTransaction: boolean,
) => QueryResult<Row> | undefined

/** A configured database that is not open yet. */
export interface MetadataDialect extends Dialect {
  /** An SQL expression for its version. */
  readonly version: string
  /** An SQL expression for its clock, in ms since the epoch; null if it uses the clock of this machine. */
  readonly time: string | null
  /** The capabilities of this database, which may depend on its version. */
  capabilities(db: QueryExecutorProvider): Promise<Capabilities>
  /** Why it accepts no writes, as a sentence for an operator; null if it does. Nothing is changed. */
  refusesWrites<Tables>(db: Kysely<Tables>): Promise<string | null>
  /** Settings with which a power cut can undo commits, as sentences for an operator. */
  weakSettings(db: QueryExecutorProvider): Promise<readonly string[]>
  /** Statements that update the statistics of the query planner. */
  readonly statistics: {
    /**
     * While a transaction inserts many rows. PostgreSQL otherwise plans for the tables as they were before it, and reads
     * all files of an import again for each batch.
     */
    readonly duringBulk: readonly string[]
    /** After many rows were inserted. */
    readonly afterBulk: readonly string[]
    /** For every hour, unless the database updates them automatically. */
    readonly routine: readonly string[]
  }
  /**
   * A query for the indexes and foreign keys that a transaction with many insertions should do without, as two statements
   * each: `removal` and `definition`. Null if a schema change ends the transaction.
   */
  readonly bulkRemovals: string | null
  /** A function that returns the rows of a table from a JSON array of objects; null if it would not be faster than values. */
  readonly jsonRows: 'json_populate_recordset' | null
  /** A second connection for long reads; absent if other queries do not wait for them. */
  readonly lists?: Dialect
  /** A connection for long work such as a cleanup; absent if other queries do not wait for its statements. */
  readonly background?: Dialect
  /** Absent for databases on the network. */
  readonly runSynchronously?: RunSynchronously
  /**
   * Resolves when all earlier commits survive a power cut, and rejects if that is unknown. Absent if each commit waits for
   * the disk, or need not survive.
   */
  readonly syncCommits?: () => Promise<void>
  /** Free bytes of the disk that holds its files, without those that a checkpoint will use. Absent for databases on the network. */
  readonly freeSpace?: () => Promise<number>
}

/** Connection options of a database on the network. Durations are in milliseconds. */
export interface NetworkDatabaseOptions {
  readonly connectionString: string
  readonly maxConnections: number
  /** The limit of a statement; 0 for none. Schema changes have no limit. */
  readonly statementTimeout: number
  /**
   * How long a transaction may be idle before the database ends it; 0 for no limit. Without a limit, a process that lost its
   * connection could hold locks for hours.
   */
  readonly idleTransactionTimeout: number
  /** How long a request waits for a connection, in ms. */
  readonly acquireTimeout: number
  /** How long to wait for a database that is still starting. */
  readonly startTimeout: number
  /** Called every few seconds while waiting for the database. */
  readonly onWaiting: (reason: unknown) => void
}
