import { globSync } from 'node:fs'
import { join } from 'node:path'
import { holds } from '../daemon.ts'
import type { DatabaseRecipe } from './database-recipe.ts'

const set = (setting: string) => ['-c', setting]

const settings = [
  ...['listen_addresses=127.0.0.1', 'fsync=off', 'synchronous_commit=off', 'full_page_writes=off'],
  ...['shared_buffers=32MB', 'max_connections=300', 'dynamic_shared_memory_type=mmap'],
]

export const postgres: DatabaseRecipe = {
  user: 'postgres',
  find: () => {
    const folders = globSync('/usr/lib/postgresql/*/bin')
    const version = (folder: string) => Number(folder.split('/').at(-2))
    return folders.toSorted((a, b) => version(b) - version(a)).find(holds('initdb')) ?? null
  },
  initialize: ({ bin, folder }) => [
    ...[join(bin, 'initdb'), '-D', join(folder, 'data'), '-U', 'svc', '--auth=trust', '--no-sync'],
    ...['--no-instructions', '--locale=C.UTF-8', '-E', 'UTF8'],
  ],
  serve: ({ bin, folder, port }) => [
    ...[join(bin, 'postgres'), '-D', join(folder, 'data'), '-p', String(port), '-k', folder],
    ...settings.flatMap(set),
  ],
  ping: ({ bin, port }) => [
    ...[join(bin, 'pg_isready'), '-q', '-h', '127.0.0.1', '-p', String(port), '-U', 'svc'],
  ],
  create: ({ bin, port }, name) => [
    ...[join(bin, 'createdb'), '-h', '127.0.0.1', '-p', String(port), '-U', 'svc', name],
  ],
  drop: ({ bin, port }, name) => [
    ...[join(bin, 'dropdb'), '--force', '-h', '127.0.0.1', '-p', String(port), '-U', 'svc', name],
  ],
  url: ({ port }, name) => `postgres://svc@127.0.0.1:${String(port)}/${name}`,
  // A fast shutdown does not wait for clients.
  stopSignal: 'SIGINT',
}
