import { environmentName, secretFileName } from './sources/environment-name.ts'
import type { Option } from './options/option.ts'
import { optionGroups, optionKeys, optionOf } from './options/options.ts'

/** The reference of the configuration, `docs/configuration.md`, written from the table of options. */
export function configurationDocumentation(): string {
  const groups = optionGroups.map(({ title, options }) => `## ${title}\n\n${optionTable(options)}`)
  return `${[introduction, ...groups, example].join('\n\n')}\n`
}

const introduction = `# Configuration

<!-- Written by scripts/configuration-docs.ts from server/src/config/options/options.ts: change it there. -->

Svc runs without any configuration. To change something, write a TOML file, set environment variables, or both:
a variable wins over the file.

The file is the first of these:

1. the one that \`svcd --config FILE\` names,
2. the one that the variable \`SVCD_CONFIG\` names,
3. \`svcd.toml\` in the working directory,
4. \`/etc/svcd.toml\`.

Keys ignore case. An unknown key, an unknown \`SVCD_\` variable or a value that makes no sense stops the start; every
problem is listed at once.

**Variables** are named \`SVCD_\` and the key in upper snake case. Lists are JSON (\`["10.0.0.0/8"]\`) and replace the
list of the file. A section such as \`[DataBackendConfig]\` is either one JSON map, \`SVCD_DATA_BACKEND_CONFIG\`, which is
merged into the section of the file, or one variable for each key of it.
${secretSentence()}

**Sizes** are whole bytes (\`500000\`), decimal (\`10 GB\` = 10,000,000,000 bytes, \`1.5 GB\`) or binary (\`10GiB\`). Limits
may be \`unlimited\` or \`-1\`.

**Durations** are whole seconds (\`3600\`) or \`90s\`, \`5m\`, \`12h\`, \`30d\`, \`1w\`, \`1d12h\`. Limits may be \`unlimited\` or
negative.

**Relative paths** start from the folder of the file they are written in, or from the working directory when a variable
or a default gives them; the defaults of the directories that belong to the product start from its \`server\` folder.`

function secretSentence(): string {
  const secrets = optionKeys.filter((key) => optionOf(key).secret)
  const names = secrets.map((key) => `\`${secretFileName(key)}\``).join(', ')
  return `\nA secret may stand in a file of its own, named by a variable that ends in \`_FILE\`: ${names}.`
}

const example = `## Example

\`\`\`toml
ListenAddress = "0.0.0.0"
SvcDomain = "https://svc.example"
TrustedProxies = ["10.0.0.0/8"]

MaxFileSizeStr = "2 GB"
DefaultTTLStr = "7d"
MaxTTLStr = "30d"
FeatureComments = "disabled"

# Sections come last: TOML counts every line below one to it.
[DataBackendConfig]
Directory = "/var/lib/svc/files"

[MetadataBackendConfig]
ConnectionString = "/var/lib/svc/svc.db"
\`\`\`

The same limit as a variable: \`SVCD_MAX_FILE_SIZE_STR="2 GB"\`.`

function optionTable(options: Readonly<Record<string, Option<unknown>>>): string {
  const rows = Object.entries(options).map(([key, option]) => [
    keyCell(key),
    `\`${environmentName(key)}\``,
    `\`${JSON.stringify(option.default)}\``,
    option.kind.expects,
    option.help,
  ])
  const header = ['Key', 'Variable', 'Default', 'Value', 'Meaning']
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function keyCell(key: string): string {
  const [section, member] = key.split('.')
  return member === undefined ? `\`${key}\`` : `\`[${String(section)}]\` \`${member}\``
}
