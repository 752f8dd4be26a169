import type { CompiledQuery, Dialect, QueryExecutorProvider, QueryResult } from 'kysely'

/** What differs between databases, as data: the queries ask for what they need, never for a product's name. */
export interface Capabilities {
  /** Whether an index may leave rows out. */
  readonly partialIndexes: boolean
  /** Whether a foreign key is written beside its column; elsewhere it is a constraint of its table. */
  readonly inlineReferences: boolean
  /** Whether dropping an index needs the name of its table. */
  readonly indexesBelongToTables: boolean
  /**
   * How the rows of a table lie: in the order of its primary key where the table is made so, with no other index for the
   * key, or as the database has it.
   */
  readonly tableOrder: 'by key on request' | 'fixed'
  /** How an insertion changes a row whose key is there already. */
  readonly upsert: 'on conflict' | 'on duplicate key'
  /** How free pages go back to the disk: a few when asked, or by the database's own doing. */
  readonly freePages: 'incremental' | 'automatic'
  /** Whether a query can lock the rows it reads; elsewhere whoever writes has the database to himself. */
  readonly rowLocks: boolean
  /** By which texts are compared code point by code point, trailing spaces included; null where that is the default. */
  readonly textCollation: string | null
  /** By which texts become lower-case letters in every alphabet; null where `lower` does so by itself. */
  readonly caseCollation: string | null
}

/**
 * Runs a statement at once, for a database that answers without being waited for.
 * @param inTransaction whether it belongs to the transaction that is under way
 * @returns undefined when it has to wait for its turn
 */
export type RunSynchronously = <Row>(
  query: CompiledQuery<Row>,
  inTransaction: boolean,
) => QueryResult<Row> | undefined

/** A database of one kind, ready to be opened. */
export interface MetadataDialect extends Dialect {
  /** An expression for its version, as the product tells it. */
  readonly version: string
  /** An expression for the time by its clock, in ms since the epoch; null where that is the machine's. */
  readonly time: string | null
  /** What this database can do, which its version may decide. */
  traits(db: QueryExecutorProvider): Promise<Capabilities>
  /** What in the settings of the database lets a power cut undo what was answered; a sentence each, for an operator. */
  weakSettings(db: QueryExecutorProvider): Promise<readonly string[]>
  /** Statements that tell the database what its tables hold, so that it plans well. */
  readonly statistics: {
    /** After many rows came or went. */
    readonly afterBulk: readonly string[]
    /** Now and then, where the database does not do so by itself. */
    readonly routine: readonly string[]
  }
  /**
   * A query for `name` and `definition` (a statement) of the indexes of the table `uploads` that can be dropped and made
   * anew within a transaction. Null where a change of the schema ends it.
   */
  readonly uploadIndexes: string | null
  /** The same database for reads that take long, beside all others; absent where others do not wait for them. */
  readonly reader?: Dialect
  /** Absent for databases on the network. */
  readonly runAtOnce?: RunSynchronously
  /**
   * Resolves when all that was committed before survives a power cut; rejects where that cannot be known. Absent where a
   * commit does not return before it does, or where it need not.
   */
  readonly durable?: () => Promise<void>
  /** Bytes that are free where its files are, less those that it has promised already. Absent for databases on the network. */
  readonly freeSpace?: () => Promise<number>
}

/** How a database on the network is reached. Durations are milliseconds. */
export interface NetworkDatabaseOptions {
  readonly connectionString: string
  readonly maxConnections: number
  /** Time that a statement may take; 0 for any. Schema changes take as long as they take. */
  readonly statementTimeout: number
  /**
   * Time that a transaction may stand still before the database ends it; 0 for any. What it locks would otherwise
   * stay locked for hours when its process is cut off.
   */
  readonly idleTransactionTimeout: number
  /** Time that a database which is still coming up gets. */
  readonly startTimeout: number
  /** Told now and then while a database is waited for. */
  readonly onWaiting: (reason: unknown) => void
}
