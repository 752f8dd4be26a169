import ts from 'typescript'

/** The descriptions that a schema gives for its fields. */
interface DescribedSchema {
  readonly properties?: Readonly<Record<string, { readonly description?: string }>>
}

export interface PlainTypes {
  /** Declares an export of the module and all types that it refers to, without other modules. */
  readonly declare: (names: Iterable<string>) => string
}

const comment = (text: string, indent = '') => (text === '' ? '' : `${indent}/** ${text} */\n`)
const isName = (text: string) => /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(text)
const isReadonly = (symbol: ts.Symbol) =>
  (symbol.declarations ?? []).some(
    (declaration) => (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Readonly) !== 0,
  )

/**
 * Writes resolved types: those of a schema are the types that the checker infers from it.
 * @param module the module with the exports to write
 * @param schemas the same exports as values, for the descriptions of their fields
 */
export function plainTypes(
  checker: ts.TypeChecker,
  module: ts.Symbol,
  schemas: Readonly<Record<string, unknown>>,
): PlainTypes {
  const exports = new Map(checker.getExportsOfModule(module).map((symbol) => [symbol.name, symbol]))
  const needed = new Set<string>()

  const ownName = (type: ts.Type): string | undefined => {
    const symbol = type.aliasSymbol ?? (type.isClassOrInterface() ? type.symbol : undefined)
    if (symbol === undefined) return undefined
    const found = exports.get(symbol.name)
    if (found === undefined) return undefined
    const own = found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found
    return own === symbol ? symbol.name : undefined
  }
  const referenceTo = (type: ts.Type): string => {
    const name = ownName(type)
    if (name === undefined) return textOfType(type)
    needed.add(name)
    return name
  }
  const textOfType = (type: ts.Type, described?: DescribedSchema): string => {
    if (type.isUnion() && !(type.flags & ts.TypeFlags.Boolean)) return unionOf(type)
    if (checker.isArrayType(type)) {
      const [element] = checker.getTypeArguments(type as ts.TypeReference)
      const elementType = element === undefined ? 'unknown' : referenceTo(element)
      const array = elementType.includes('|') ? `(${elementType})[]` : `${elementType}[]`
      return type.symbol.name === 'ReadonlyArray' ? `readonly ${array}` : array
    }
    const isPlain = (type.flags & ts.TypeFlags.Object) !== 0 && type.getCallSignatures().length === 0
    if (!isPlain) return checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation)
    // The checker does not keep the order of fields; a schema does.
    const order = Object.keys(described?.properties ?? {})
    const sorted = checker
      .getPropertiesOfType(type)
      .toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name))
    const fields = sorted.map((field) => fieldOf(field, described))
    return fields.length === 0 ? '{}' : `{\n${fields.join('')}}`
  }
  const unionOf = (type: ts.UnionType): string => {
    // The checker writes `true | false` as boolean, which its list of members does not.
    const members = type.types.map((member) => referenceTo(member))
    const both = members.includes('true') && members.includes('false')
    const plain = both
      ? [...members.filter((member) => member !== 'true' && member !== 'false'), 'boolean']
      : members
    return plain.join(' | ')
  }
  const fieldOf = (field: ts.Symbol, described: DescribedSchema | undefined): string => {
    const isOptional = (field.flags & ts.SymbolFlags.Optional) !== 0
    const type = checker.getTypeOfSymbol(field)
    const text = referenceTo(isOptional ? checker.getNonNullableType(type) : type)
    const words = described?.properties?.[field.name]?.description ?? ''
    const name = isName(field.name) ? field.name : JSON.stringify(field.name)
    return `${comment(words, '  ')}  ${isReadonly(field) ? 'readonly ' : ''}${name}${isOptional ? '?' : ''}: ${text}\n`
  }
  const declaration = (name: string): string => {
    const exported = exports.get(name)
    if (exported === undefined) throw new Error(`the contract has no ${name}`)
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
    const words = comment(
      ts.displayPartsToString(symbol.getDocumentationComment(checker)).replaceAll('\n', ' '),
    )
    const generic = symbol.declarations?.find(
      (declaration) => ts.isInterfaceDeclaration(declaration) && declaration.typeParameters !== undefined,
    )
    if (generic !== undefined) return words + generic.getText() + '\n'
    const isType = (symbol.flags & (ts.SymbolFlags.TypeAlias | ts.SymbolFlags.Interface)) !== 0
    if (!isType)
      return `${words}export declare const ${name}: ${textOfType(checker.getTypeOfSymbol(symbol))}\n`
    const declared = checker.getDeclaredTypeOfSymbol(symbol)
    const type = textOfType(declared, schemas[name] as DescribedSchema | undefined)
    const isObject = !declared.isUnion() && type.startsWith('{')
    return `${words}${isObject ? `export interface ${name} ${type}` : `export type ${name} = ${type}`}\n`
  }
  return {
    declare: (names) => {
      for (const name of names) needed.add(name)
      const parts: string[] = []
      // Iterating over a set includes values that are added meanwhile.
      for (const name of needed) parts.push(declaration(name))
      return parts.join('\n')
    },
  }
}
