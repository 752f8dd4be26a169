import { copyFile, cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { traefik } from '../../../scripts/tests/deployment-tools.ts'
import { goTool, missingGoTools } from '../../../scripts/tests/go-tools.ts'
import { base, image as svcd } from './containers.ts'
import type { Podman } from './podman.ts'

/** Whether the store is versitygw itself, which Go compiles for minutes, and not `images/store.ts` on the Node of the server. */
const hasVersitygw = missingGoTools('versitygw') === null

/**
 * Stand-ins for images of a registry: the same programs from Debian and elsewhere, started as the image of this name documents. The
 * key is the name in the compose files, without the version.
 */
const images: Readonly<Record<string, string>> = {
  // No certificate can be fetched here: Caddy makes one.
  caddy: `
ENV XDG_DATA_HOME=/data
CMD ["sh", "-c", "printf '{\\\\n local_certs\\\\n skip_install_trust\\\\n}\\\\n' | cat - /etc/caddy/Caddyfile > /tmp/Caddyfile && exec caddy run --config /tmp/Caddyfile --adapter caddyfile"]`,
  // The image replaces the variables of the environment in templates.
  nginx: `
CMD ["sh", "-c", "if test -d /etc/nginx/templates; then envsubst '$DOMAIN' < /etc/nginx/templates/default.conf.template > /etc/nginx/conf.d/default.conf; fi; exec nginx -g 'daemon off;'"]`,
  traefik: `
COPY traefik /usr/local/bin/traefik
ENTRYPOINT ["traefik"]`,
  // PostgreSQL 15 of Debian instead of 17, with the steps, the variables and the signal of the official image.
  postgres: `
COPY images/database.sh /usr/local/bin/docker-entrypoint.sh
ENV PATH=/usr/lib/postgresql/15/bin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin PGDATA=/var/lib/postgresql/data
ENTRYPOINT ["docker-entrypoint.sh"]
STOPSIGNAL SIGINT
CMD ["postgres", "-c", "listen_addresses=*", "-c", "dynamic_shared_memory_type=mmap"]`,
  versitygw: hasVersitygw
    ? `
COPY versitygw /usr/local/bin/versitygw`
    : `
COPY --from=${svcd} /opt/svcd/bin/node /usr/local/bin/node
COPY images/store.ts /usr/local/lib/store.ts
RUN printf '#!/bin/sh\\nexec node /usr/local/lib/store.ts "$@"\\n' > /usr/local/bin/versitygw && chmod +x /usr/local/bin/versitygw`,
}

const users = `root:x:0:0:root:/root:/bin/sh
www-data:x:33:33::/var/www:/bin/false
postgres:x:999:999::/var/lib/postgresql:/bin/sh
nobody:x:65534:65534::/nonexistent:/bin/false
`
const groups = 'root:x:0:\nwww-data:x:33:\npostgres:x:999:\nnogroup:x:65534:\n'

/**
 * Makes an image for each name.
 * @param names such as `docker.io/library/caddy:2.10`
 * @param folder an empty one
 */
export async function makeImages(podman: Podman, names: Iterable<string>, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'passwd'), users)
  await writeFile(join(folder, 'group'), groups)
  await copyFile(traefik, join(folder, 'traefik'))
  await cp(join(import.meta.dirname, 'images'), join(folder, 'images'), { recursive: true })
  if (hasVersitygw) await copyFile(goTool('versitygw'), join(folder, 'versitygw'))
  for (const name of names) {
    const [, program = ''] = /\/(\w+):/.exec(name) ?? []
    const instructions = images[program]
    if (instructions === undefined) throw new Error(`there is no program for the image ${name}`)
    const file = join(folder, `${program}.containerfile`)
    await writeFile(file, `FROM ${base}\nCOPY passwd group /etc/\n${instructions}\n`)
    await podman.run('build', '--quiet', '--isolation=chroot', `--file=${file}`, `--tag=${name}`, folder)
  }
}
