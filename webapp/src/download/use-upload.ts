import { isManifest, type File, type Upload } from '@svc/contract'
import { ApiError, isTransient, type Access, type Credentials } from '@svc/sdk'
import { onScopeDispose, shallowRef } from 'vue'
import { api } from '../api/api.ts'
import { omit } from '../base/omit.ts'
import { onVisible } from '../base/browser/on-visible.ts'
import { withoutManifest } from '../encryption/without-manifest.ts'
import { isRemoved, useRemovals } from '../sent/store/removals.ts'
import { availability, type Availability } from '../base/file-state.ts'
import { prepareNotices } from './notices/prepare-notices.ts'
import { prepareRows } from './list/prepare-rows.ts'
import { removeUploadToken, savedUploadToken } from './upload-token.ts'

export type UploadState =
  | { readonly kind: 'loading' }
  /** `wrong`: the given credentials are wrong. */
  | { readonly kind: 'password-required'; readonly refusal: 'none' | 'wrong' | 'often' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'removed' }
  | {
      readonly kind: 'ready'
      /** Without the manifest. */
      readonly upload: Upload
      readonly manifest: File | undefined
      /** Whether only the next refresh shows an interruption. */
      readonly isUnconfirmed: boolean
    }

type Ready = Extract<UploadState, { kind: 'ready' }>

/** An upload for visitors, updated while files arrive and while counted downloads are left. */
export function useUpload(uploadID: string) {
  const state = shallowRef<UploadState>({ kind: 'loading' })
  const { announceRemoval, onRemoval } = useRemovals()
  let credentials: Credentials | undefined
  /** Ends to follow the upload. */
  let following: Promise<(() => void) | undefined> | undefined
  let isDisposed = false
  /** Whether a download or viewer is active, which continues when the upload ends. */
  let isUnderWay = () => false

  const shown = () => (state.value.kind === 'ready' ? state.value : undefined)
  const access = (): Access => ({ uploadToken: savedUploadToken(uploadID), credentials })

  const mayChange = ({ upload, manifest }: Ready) =>
    [manifest, ...upload.files].some((file) => {
      const now = file && availability(file, upload)
      // A stream begins and ends with its sender, and others may use downloads that are counted.
      return now === 'coming' || (now === 'ready' && (upload.stream || file?.downloadsLeft !== undefined))
    })
  const updateFollowing = () => {
    const ready = shown()
    if (!isDisposed && ready && mayChange(ready)) following ??= follow(ready)
    else {
      void following?.then((end) => end?.())
      following = undefined
    }
  }
  const follow = (first: Ready) =>
    import('../changes/follow-upload.ts').then(
      ({ followShown }) => followShown(() => shown() ?? first, refresh),
      () => undefined,
    )
  /** Files without a connection at the last refresh. */
  let disconnected = new Set<string>()
  /** Between two parts of a file there is no connection for a moment: only the next refresh shows an interruption. */
  const confirmed = (upload: Upload) => {
    const before = disconnected
    const isUnconfirmed = ({ id, interrupted }: File) => interrupted === true && !before.has(id)
    disconnected = new Set(upload.files.filter(({ interrupted }) => interrupted).map(({ id }) => id))
    const files = withoutManifest(upload).map((file) =>
      isUnconfirmed(file) ? omit(file, 'interrupted') : file,
    )
    return { upload: { ...upload, files }, isUnconfirmed: upload.files.some(isUnconfirmed) }
  }
  const show = (next: UploadState) => {
    // A response may have been on its way.
    if (state.value.kind === 'removed') return
    state.value = next
    updateFollowing()
  }
  const ready = (upload: Upload): UploadState => {
    const manifests = upload.files.filter((file) => isManifest(upload, file))
    const first = (wanted: Availability) => manifests.find((file) => availability(file, upload) === wanted)
    return {
      kind: 'ready',
      ...confirmed(upload),
      manifest: first('ready') ?? first('coming') ?? manifests[0],
    }
  }
  const failure = (error: unknown): UploadState => {
    if (error instanceof ApiError) {
      if (error.status === 401) return { kind: 'password-required', refusal: credentials ? 'wrong' : 'none' }
      if (error.code === 'too_many_attempts') return { kind: 'password-required', refusal: 'often' }
    }
    return { kind: 'failed', error }
  }
  const load = async () => {
    try {
      const upload = await api.upload(uploadID, access())
      await Promise.all([prepareRows(upload.files), prepareNotices(upload)])
      show(ready(upload))
    } catch (error) {
      show(failure(error))
    }
  }
  /** Like load, but the shown upload stays without a response, and while a download or viewer is active. */
  const refresh = async () => {
    try {
      show(ready(await api.upload(uploadID, access())))
    } catch (error) {
      const isStaying = isUnderWay() || (error instanceof ApiError && isTransient(error))
      if (isStaying && shown()) updateFollowing()
      else show(failure(error))
    }
  }
  onVisible(() => {
    if (shown()) void refresh()
  })
  onRemoval((removal) => {
    if (!isRemoved(removal, { id: uploadID, user: shown()?.upload.user })) return
    removeUploadToken(uploadID)
    show({ kind: 'removed' })
  })
  onScopeDispose(() => {
    isDisposed = true
    updateFollowing()
  })

  return {
    state,
    /** The manifest of an encrypted upload, as the server lists it. */
    manifest: () => shown()?.manifest,
    access,
    load,
    refresh,
    stayWhile: (goesOn: () => boolean) => {
      isUnderWay = goesOn
    },
    authenticate: (newCredentials: Credentials) => {
      credentials = newCredentials
      return load()
    },
    removeFile: async (file: File) => {
      await api.removeFile(uploadID, file, access())
      await refresh()
    },
    removeUpload: async () => {
      await api.removeUpload(uploadID, access())
      announceRemoval({ ids: [uploadID] })
    },
  }
}
