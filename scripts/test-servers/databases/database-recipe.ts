/** Programs and arguments that start, query and stop a database of one kind. */
export interface DatabaseRecipe {
  /** The system user that runs the server instead of root, which these servers refuse. */
  readonly user: string
  /**
   * Folders of the programs.
   * @returns null when they are not installed
   */
  readonly find: () => string | null
  readonly initialize: (at: DatabaseInstallation) => readonly string[]
  readonly serve: (at: DatabaseInstallation) => readonly string[]
  readonly ping: (at: DatabaseInstallation) => readonly string[]
  readonly create: (at: DatabaseInstallation, name: string) => readonly string[]
  readonly drop: (at: DatabaseInstallation, name: string) => readonly string[]
  readonly url: (at: DatabaseInstallation, name: string) => string
  readonly stopSignal: NodeJS.Signals
}

export interface DatabaseInstallation {
  readonly bin: string
  readonly folder: string
  readonly port: number
  /** The system user that runs the server. */
  readonly user: string
}
