import type { CompiledQuery } from 'kysely'
import type { MetadataDialect } from '../../src/metadata/dialects/dialect.ts'
import { watchedDialect } from '../../src/metadata/dialects/watched.ts'

const ignore = () => undefined

/** Tells of each statement that a database has answered. */
export const watchedQueries = (
  dialect: MetadataDialect,
  onQuery: (query: CompiledQuery) => void,
): MetadataDialect =>
  watchedDialect(dialect, {
    statement: (query) => () => {
      onQuery(query)
    },
    failed: ignore,
    waiting: ignore,
    inUse: ignore,
  })
