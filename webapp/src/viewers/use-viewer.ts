import { onScopeDispose, shallowRef } from 'vue'
import type { FileSource } from './file-source.ts'
import { viewerLimit, type ViewerKind } from './viewer-kind.ts'

export type ViewerState =
  /** Looking uses the file up: nothing is fetched before the person says so. */
  | { readonly kind: 'asking' }
  | { readonly kind: 'loading' }
  | { readonly kind: 'tooLarge' }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** The browser can make nothing of it, or it is not what its name says. */
  | { readonly kind: 'unreadable' }
  | {
      readonly kind: 'ready'
      readonly url: string
      readonly blob: Blob | undefined
      /** Address of the document that a player has to be in. */
      readonly frame?: string
    }

export interface ViewerOptions {
  readonly kind: ViewerKind
  /** Bytes. */
  readonly size: number
  readonly source: FileSource
  /** A single download is all there is. */
  readonly once: boolean
}

/** Kinds that a browser draws from an address, part by part. */
const isMedia = (kind: ViewerKind) => kind === 'image' || isPlayed(kind)
const isPlayed = (kind: ViewerKind) => kind === 'audio' || kind === 'video'

/** The type that a blob may have in this page: never one that is a document with scripts. */
function blobType(kind: ViewerKind, type: string): string {
  if (kind === 'pdf') return 'application/pdf'
  return /^(?:image|audio|video)\/(?!svg)/.test(type) ? type : ''
}

/** A file's content for a viewer; its memory is given back with the scope. */
export function useViewer({ kind, size, source, once }: ViewerOptions) {
  const streamed = isMedia(kind) ? source.address : undefined
  const stop = new AbortController()
  const state = shallowRef<ViewerState>({ kind: 'loading' })
  let objectURL: string | undefined

  const attempt = async (open: () => Promise<ViewerState>) => {
    state.value = { kind: 'loading' }
    try {
      state.value = await open()
    } catch (error) {
      if (!stop.signal.aborted) state.value = { kind: 'failed', error }
    }
  }
  const whole = async (): Promise<ViewerState> => {
    if (size > viewerLimit(kind)) return { kind: 'tooLarge' }
    const blob = await source.whole(stop.signal)
    objectURL = URL.createObjectURL(new Blob([blob], { type: blobType(kind, blob.type) }))
    return { kind: 'ready', url: objectURL, blob }
  }
  const play = async (): Promise<ViewerState> => {
    const playable = await source.play?.(stop.signal)
    if (playable === undefined) return whole()
    return { kind: 'ready', url: playable.content, blob: undefined, frame: playable.frame }
  }
  const load = () => attempt(isPlayed(kind) ? play : whole)
  onScopeDispose(() => {
    stop.abort()
    if (objectURL !== undefined) URL.revokeObjectURL(objectURL)
  })

  if (streamed !== undefined) state.value = { kind: 'ready', url: streamed, blob: undefined }
  else if (isPlayed(kind) && source.play) void load()
  else if (size > viewerLimit(kind)) state.value = { kind: 'tooLarge' }
  else if (once) state.value = { kind: 'asking' }
  else void load()
  return {
    state,
    load,
    /** The browser would not have the player in its frame. */
    loadWhole: () => attempt(whole),
    giveUp: () => {
      state.value = { kind: 'unreadable' }
    },
  }
}
