import { onScopeDispose, shallowRef } from 'vue'
import type { FileSource } from './file-source.ts'
import { viewerLimit, type ViewerKind } from './viewer-kind.ts'

export type ViewerState =
  /** Viewing consumes the file, so it waits for the user's confirmation. */
  | { readonly kind: 'asking' }
  | { readonly kind: 'loading' }
  | { readonly kind: 'tooLarge' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** The browser cannot show the content. */
  | { readonly kind: 'unreadable' }
  | {
      readonly kind: 'ready'
      readonly url: string
      readonly blob: Blob | undefined
      /** Address of the document for a player. */
      readonly frame?: string
      /** True where the file has a manifest, and what is played of it is not compared with it. */
      readonly isUnverified?: boolean
    }

export interface ViewerOptions {
  readonly kind: ViewerKind
  /** Bytes. */
  readonly size: number
  readonly source: FileSource
  /** Whether the file can be downloaded only once. */
  readonly once: boolean
}

/** Kinds that browsers load in ranges from an address. */
const isMedia = (kind: ViewerKind) => kind === 'image' || isPlayed(kind)
const isPlayed = (kind: ViewerKind) => kind === 'audio' || kind === 'video'

/** A safe type for a blob in this page: never a document with scripts. */
function blobType(kind: ViewerKind, type: string): string {
  if (kind === 'pdf') return 'application/pdf'
  return /^(?:image|audio|video)\/(?!svg)/.test(type) ? type : ''
}

/** The content of a file for a viewer. Its memory is freed with the scope. */
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
    if (blob.size === 0) return { kind: 'empty' }
    objectURL = URL.createObjectURL(new Blob([blob], { type: blobType(kind, blob.type) }))
    return { kind: 'ready', url: objectURL, blob }
  }
  const play = async (): Promise<ViewerState> => {
    const playable = await source.play?.(stop.signal)
    if (playable === undefined) return whole()
    const { content, frame, isUnverified } = playable
    return { kind: 'ready', url: content, blob: undefined, frame, isUnverified }
  }
  const load = () => attempt(isPlayed(kind) ? play : whole)
  onScopeDispose(() => {
    stop.abort()
    if (objectURL !== undefined) URL.revokeObjectURL(objectURL)
  })

  if (size === 0) state.value = { kind: 'empty' }
  else if (streamed !== undefined) state.value = { kind: 'ready', url: streamed, blob: undefined }
  else if (isPlayed(kind) && source.play) void load()
  else if (size > viewerLimit(kind)) state.value = { kind: 'tooLarge' }
  else if (once) state.value = { kind: 'asking' }
  else void load()
  return {
    state,
    load,
    /** Handles a player whose frame the browser has blocked. */
    loadWhole: () => attempt(whole),
    /** Handles a picture that would take too much memory. */
    refuse: () => {
      state.value = { kind: 'tooLarge' }
    },
    giveUp: () => {
      state.value = { kind: 'unreadable' }
    },
  }
}
