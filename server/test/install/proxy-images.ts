import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { traefik } from '../../../scripts/tests/deployment-tools.ts'
import { base } from './containers.ts'
import type { Podman } from './podman.ts'

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
}

const users = `root:x:0:0:root:/root:/bin/sh
www-data:x:33:33::/var/www:/bin/false
nobody:x:65534:65534::/nonexistent:/bin/false
`
const groups = 'root:x:0:\nwww-data:x:33:\nnogroup:x:65534:\n'

/**
 * Makes an image for each name.
 * @param names such as `docker.io/library/caddy:2.10`
 * @param folder an empty one
 */
export async function makeImages(podman: Podman, names: readonly string[], folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'passwd'), users)
  await writeFile(join(folder, 'group'), groups)
  await copyFile(traefik, join(folder, 'traefik'))
  for (const name of names) {
    const [, program = ''] = /\/(\w+):/.exec(name) ?? []
    const instructions = images[program]
    if (instructions === undefined) throw new Error(`there is no program for the image ${name}`)
    const file = join(folder, `${program}.containerfile`)
    await writeFile(file, `FROM ${base}\nCOPY passwd group /etc/\n${instructions}\n`)
    await podman.run('build', '--quiet', '--isolation=chroot', `--file=${file}`, `--tag=${name}`, folder)
  }
}
