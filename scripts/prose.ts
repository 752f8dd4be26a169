// Finds words that a technical editor would strike, in pages, help, messages, comments and documentation: node scripts/prose.ts
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** A word with what to write instead. */
interface BannedWord {
  readonly pattern: RegExp
  /** Files that may use the word. */
  readonly except?: RegExp
  readonly instead: string
}

const banned: readonly BannedWord[] = [
  {
    pattern: /\b(?:is|are|was|were|be|been) told\b/i,
    instead: 'name who says what: "the log says", "you see"',
  },
  { pattern: /\b(?:told|tells)\b/i, instead: '"says", "shows", "reports"' },
  { pattern: /\b(?:whoever|whomever)\b/i, instead: '"anyone who", "the sender", "the admin"' },
  { pattern: /\bwhatever\b/i, instead: '"any", "regardless of"' },
  { pattern: /\b(?:somebody|nobody)\b/i, instead: '"someone", "no one", or the role' },
  { pattern: /\bso many\b/i, instead: 'the number, or "this many"' },
  { pattern: /\bof (?:its|their|your|one's) own\b/i, instead: '"separate", "another"' },
  { pattern: /\b(?:is|are|was|were) away\b/i, instead: '"is unavailable"' },
  {
    // At the beginning of a line, the line before may end in "there". -1 is no limit: there is none.
    pattern: /(?<!\bthere |^\W*)\b(?:is|are) no (?!longer\b|more\b|one\b|such\b|limit\b)/i,
    instead: '"is not a", "are not"',
  },
  { pattern: /\bas meant\b/i, instead: '"as intended"' },
  { pattern: /\bgo(?:es)? on where\b/i, instead: '"resumes where"' },
  // It asks for a frequency.
  { pattern: /\bhow often\b/i, instead: '"how many times", or "at which interval"' },
  { pattern: /\balso (?:if|when|with)\b/i, instead: '"even if", "including", or "too" at the end' },
  { pattern: /\bone a line\b/i, instead: '"one per line"' },
]

/** Words that the packages of `strictFiles` avoid as well (docs/glossary.md). */
const bannedInStrictFiles: readonly BannedWord[] = [
  {
    pattern: /(?<!invalid_)\banswer(?:s|ed|ing)?\b/i,
    // Answers to prompts and questions; a signed word of the protocol between instances.
    except:
      /use-confirmation|ConfirmationDialog|use-upload-key|interactive\/ask|docs\/(?:README|encryption|glossary|design\/web)|instance-signatures/,
    instead: '"response", "responds with", "returns"',
  },
  { pattern: /\b(?:anybody|everybody)\b/i, instead: '"anyone", "everyone", or the role' },
  { pattern: /\blet(?:s|ting)? go of\b/i, instead: '"closes", "releases"' },
  { pattern: /\bput(?:s|ting)? together\b/i, instead: '"assembles", "builds"' },
  { pattern: /\bgo(?:es|ing)? on\b/i, instead: '"continues", "resumes"' },
  { pattern: /\b(?:an|the) own\b/i, instead: '"custom", "separate", or whose it is' },
  { pattern: /\bgiv(?:es|en|ing) away\b/i, instead: '"returns", "sends"' },
  { pattern: /\bcan(?:not)? be had\b/i, instead: '"is available", "can be downloaded"' },
]

/** Pages at the root, such as the README, and templates of other places. */
const files = ['*.md']
/** Packages and pages whose words are finished. */
const strictFiles = [
  '.ci/run',
  'changelog/NEXT',
  'deploy/*',
  'docs/**/*.md',
  'e2e/**/*.md',
  'e2e/src/**/*.ts',
  'webapp/src/locales/en.json',
  'webapp/src/locales/*/*-en.json',
  'webapp/src/**/*.vue',
  'webapp/plugins/*.ts',
  'webapp/*.html',
  '**/vite*.config.ts',
  '*.js',
  '*.mjs',
  'cli/**/*.sh',
  'scripts/**/*.ts',
  'scripts/**/*.mjs',
  ...['assembler', 'bench', 'cli', 'contract', 'encryption', 'sdk', 'server', 'terminal', 'webapp'].map(
    (name) => `${name}/src/**/*.ts`,
  ),
]
/** The titles and comments of tests. Words in their data are not checked. */
const tests = [
  '*/src/**/*.test.ts',
  'cli/test/**/*.ts',
  'sdk/test/**/*.ts',
  'server/test/**/*.ts',
  'webapp/test/**/*.ts',
]
const isUnitTest = /^(?!e2e\/)[^/]+\/src\/.*\.test\.ts$/
const isTitleOrComment = (line: string): boolean =>
  /^\s*(?:\/?\*|\/\/|(?:test|describe)\w*\('|\]\)\(')/.test(line)

const leftOut = /^changelog\/(?!NEXT$)|^scripts\/prose\.ts$/

const found: string[] = []

function search(
  patterns: readonly string[],
  words: readonly BannedWord[],
  isRead: (line: string, file: string) => boolean = () => true,
): void {
  // Without the magic word `glob`, git takes `**/` for at least one folder.
  const globs = patterns.map((pattern) => (pattern.includes('**') ? `:(glob)${pattern}` : pattern))
  const tracked = execFileSync('git', ['ls-files', '--', ...globs], { encoding: 'utf8' }).split('\n')
  for (const file of tracked.filter((name) => name !== '' && !leftOut.test(name))) {
    const lines = readFileSync(file, 'utf8').split('\n')
    for (const [index, line] of lines.entries()) {
      if (!isRead(line, file)) continue
      // A phrase can be wrapped: the beginning of the next line counts, too, without its comment sign.
      const next = (lines[index + 1] ?? '').replace(/^\s*(?:\*|\/\/|-|>)?\s*/, '')
      const text = `${line} ${next}`
      for (const { pattern, except, instead } of words) {
        const match = except?.test(file) === true ? null : pattern.exec(text)
        if (match !== null && match.index <= line.length)
          found.push(`${file}:${String(index + 1)}: "${match[0]}": write ${instead}`)
      }
    }
  }
}

search(files, banned)
search(strictFiles, [...banned, ...bannedInStrictFiles], (_line, file) => !isUnitTest.test(file))
search(tests, banned, isTitleOrComment)
if (found.length > 0) {
  console.log(found.join('\n'))
  console.log(`${String(found.length)} places`)
  process.exitCode = 1
}
