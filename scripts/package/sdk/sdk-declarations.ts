import { dirname, join, relative } from 'node:path'
import * as contract from '@svc/contract'
import ts from 'typescript'
import { root } from '../../setup/runtime.mjs'
import { plainTypes } from './plain-types.ts'

const source = join(root, 'sdk/src')
const contractName = '@svc/contract'
const encryptionName = '@svc/encryption'
/** Folder of the declarations of @svc/encryption in the package. */
const encryptionFolder = 'encryption/age'
/** The entries of the package. */
const entries = ['index', 'encryption/browser']

/** The imports of the SDK from the contract. */
function namesFrom(text: string): string[] {
  const names: string[] = []
  const visit = (node: ts.Node): void => {
    if (
      (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) &&
      node.moduleSpecifier !== undefined &&
      ts.isStringLiteral(node.moduleSpecifier) &&
      node.moduleSpecifier.text === contractName
    ) {
      const list = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : node.exportClause
      if (list === undefined || ts.isNamespaceImport(list) || ts.isNamespaceExport(list))
        throw new Error('the SDK takes names from the contract one by one')
      for (const { propertyName, name } of list.elements) names.push((propertyName ?? name).text)
    }
    if (ts.isImportTypeNode(node) && node.argument.getText().includes(contractName))
      names.push(node.qualifier?.getText() ?? '')
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('declarations.d.ts', text, ts.ScriptTarget.Latest, true))
  return names
}

/**
 * The declarations of the SDK, by file, with those of @svc/encryption that they refer to. A separate file has the types of the
 * contract as plain types, so that users need neither the contract nor the library of its schemas.
 */
export function sdkDeclarations(): ReadonlyMap<string, string> {
  const { config } = ts.readConfigFile(join(root, 'sdk/tsconfig.json'), (path) => ts.sys.readFile(path)) as {
    config: unknown
  }
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, join(root, 'sdk'))
  // The declarations of another package are written only if it is a root, too.
  const roots = [
    ...entries.map((entry) => join(source, `${entry}.ts`)),
    join(root, 'encryption/src/index.ts'),
  ]
  const program = ts.createProgram(roots, {
    ...options,
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    outDir: '/declarations',
    rootDir: root,
  })
  const emitted = new Map<string, string>()
  const { diagnostics } = program.emit(undefined, (path, text) => {
    const file = placeOf(relative('/declarations', path))
    if (file !== undefined) emitted.set(file, withoutPackage(file, text))
  })
  if (diagnostics.length > 0) throw new Error(ts.formatDiagnostics(diagnostics, formatting))

  const checker = program.getTypeChecker()
  const entry = program.getSourceFile(join(root, 'contract/src/index.ts'))
  const module = entry && checker.getSymbolAtLocation(entry)
  if (module === undefined) throw new Error('the contract is not there')
  const { declare } = plainTypes(checker, module, contract)
  const published = [...referredFrom(entries, emitted)]
  const names = published.flatMap(([, text]) => namesFrom(text))
  const declarations = new Map([['contract.d.ts', declare(names)]])
  for (const [file, text] of published) declarations.set(file, standingAlone(file, text))
  return declarations
}

/** The path of a declaration in the package; undefined for those of other packages. */
function placeOf(path: string): string | undefined {
  if (path.startsWith('sdk/src/')) return path.slice('sdk/src/'.length)
  if (path.startsWith('encryption/src/')) return join(encryptionFolder, path.slice('encryption/src/'.length))
  return undefined
}

/** The path of an import from one file to another. */
function specifier(from: string, to: string): string {
  const path = relative(dirname(from), to)
  return path.startsWith('.') ? path : `./${path}`
}

/** A declaration that imports @svc/encryption by its path. */
const withoutPackage = (file: string, text: string): string =>
  text.replaceAll(
    new RegExp(`(['"])${encryptionName}\\1`, 'g'),
    `'${specifier(file, join(encryptionFolder, 'index.ts'))}'`,
  )

/** Files and those that they refer to. Other files of the SDK are internal, and so are the contract types in them. */
function referredFrom(
  names: readonly string[],
  emitted: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const visit = (file: string): void => {
    const text = emitted.get(file)
    if (text === undefined || found.has(file)) return
    found.set(file, text)
    for (const [, path = ''] of text.matchAll(/['"](\.{1,2}\/[^'"]+)\.ts['"]/g))
      visit(join(dirname(file), `${path}.d.ts`))
  }
  for (const name of names) visit(`${name}.d.ts`)
  return found
}

const formatting: ts.FormatDiagnosticsHost = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => root,
  getNewLine: () => '\n',
}

/** A declaration with the import paths of the package. */
function standingAlone(file: string, text: string): string {
  const path = specifier(file, 'contract.js')
  return text
    .replaceAll(`'${contractName}'`, `'${path}'`)
    .replaceAll(`"${contractName}"`, `"${path}"`)
    .replaceAll(/(['"]\.{1,2}\/[^'"]+)\.ts(['"])/g, '$1.js$2')
}
