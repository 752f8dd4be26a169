import type { SubCommandsDef } from 'citty'

/** The commands of `svcd`. Their usage lists them without loading the commands, which takes twice as long. */
export const descriptions = {
  serve: 'Start the server',
  clean: 'Run the cleanup once: expire uploads and delete removed data',
  verify: 'Compare the database with the data store, and repair on demand',
  check: 'Check the configuration against the real database, data store and network',
  user: 'Create, list, change, rebind and delete users; print all that is stored about one',
  token: 'Create, list and delete tokens of users, for command-line clients',
  upload: 'List, show and delete uploads',
  stats: 'Count users, uploads, files and bytes',
  export: 'Write all users, tokens and uploads to a file, without file contents',
  import: 'Import a file of `svcd export`, completely or not at all; or an installation of another service',
  man: 'Print the manual page',
} as const

export type CommandName = keyof typeof descriptions

/** The name and the description of a command. */
export const metaOf = (name: CommandName) => ({ name, description: descriptions[name] })

/** What a usage shows of each command. */
export const outlines = (): SubCommandsDef =>
  Object.fromEntries(
    Object.entries(descriptions).map(([name, description]) => [name, { meta: { name, description } }]),
  )
