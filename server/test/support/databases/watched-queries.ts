import type { CompiledQuery } from 'kysely'
import type { MetadataDialect } from '../../../src/metadata/dialects/dialect.ts'
import { instrumentedDialect, type DatabaseObserver } from '../../../src/metadata/dialects/instrumented.ts'

const ignore = () => undefined

/** Reports each statement that a database has executed. */
export const watchedQueries = (
  dialect: MetadataDialect,
  onQuery: (query: CompiledQuery) => void,
): MetadataDialect => instrumentedDialect(dialect, queryWatcher(onQuery))

export const queryWatcher = (onQuery: (query: CompiledQuery) => void): DatabaseObserver => ({
  statement: (query) => () => {
    onQuery(query)
  },
  failed: ignore,
  waiting: ignore,
  inUse: ignore,
})
