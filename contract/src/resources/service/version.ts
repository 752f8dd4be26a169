import * as Type from 'typebox'
import type { Static } from 'typebox'

export const ClientBuild = Type.Object(
  {
    name: Type.String(),
    os: Type.String(),
    arch: Type.String(),
    path: Type.String(),
    size: Type.Integer(),
    sha256: Type.String(),
    md5: Type.String(),
  },
  { title: 'ClientBuild' },
)
export type ClientBuild = Static<typeof ClientBuild>

export const Release = Type.Object({ name: Type.String(), date: Type.String() }, { title: 'Release' })
export type Release = Static<typeof Release>

const build = Type.Optional(Type.String())

export const Version = Type.Object(
  {
    version: Type.String(),
    clients: Type.Array(ClientBuild),
    releases: Type.Array(Release),
    date: build,
    user: build,
    host: build,
    gitShortRevision: build,
    gitFullRevision: build,
    goVersion: build,
    isRelease: Type.Optional(Type.Boolean()),
    isMint: Type.Optional(Type.Boolean()),
  },
  { title: 'Version' },
)
export type Version = Static<typeof Version>
