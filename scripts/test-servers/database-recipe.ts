/** How a database of one kind is started, asked and ended: programs with their arguments. */
export interface DatabaseRecipe {
  /** The system's user that runs the server when we are root, whom these servers refuse. */
  readonly user: string
  /** Programs, by the folders they are in. @returns null when they are not installed */
  readonly find: () => string | null
  readonly initialize: (at: DatabasePlace) => readonly string[]
  readonly serve: (at: DatabasePlace) => readonly string[]
  readonly ping: (at: DatabasePlace) => readonly string[]
  readonly create: (at: DatabasePlace, name: string) => readonly string[]
  readonly url: (at: DatabasePlace, name: string) => string
  readonly stopSignal: NodeJS.Signals
}

export interface DatabasePlace {
  readonly bin: string
  readonly folder: string
  readonly port: number
  /** Who runs the server. */
  readonly user: string
}
