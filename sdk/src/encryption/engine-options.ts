export interface EngineOptions {
  /** Maximum number of threads, by default one for each processor up to eight in browsers and four elsewhere; 0 uses the calling thread. */
  readonly threads?: number
}
