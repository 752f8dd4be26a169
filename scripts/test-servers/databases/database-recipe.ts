/** Programs and arguments that start, query and stop a database of one kind. */
export interface DatabaseRecipe {
  /** The system user that runs the server instead of root, which these servers refuse. */
  readonly user: string
  /**
   * Folders of the programs.
   * @returns null when they are not installed
   */
  readonly find: () => string | null
  readonly initialize: (at: DatabasePlace) => readonly string[]
  readonly serve: (at: DatabasePlace) => readonly string[]
  readonly ping: (at: DatabasePlace) => readonly string[]
  readonly create: (at: DatabasePlace, name: string) => readonly string[]
  readonly drop: (at: DatabasePlace, name: string) => readonly string[]
  readonly url: (at: DatabasePlace, name: string) => string
  readonly stopSignal: NodeJS.Signals
}

export interface DatabasePlace {
  readonly bin: string
  readonly folder: string
  readonly port: number
  /** The system user that runs the server. */
  readonly user: string
}
