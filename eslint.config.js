import prettier from 'eslint-config-prettier'
import vue from 'eslint-plugin-vue'
import { defineConfig } from 'eslint/config'
import eslint from '@eslint/js'
import tseslint from 'typescript-eslint'

/** Declarations of a module of the web application that are state, and their place instead. */
const declaresState = {
  'VariableDeclaration[kind="let"]': 'A variable',
  'VariableDeclaration > VariableDeclarator > CallExpression[callee.name=/^(ref|reactive|shallowRef|shallowReactive|customRef|computed)$/]':
    'A reactive value',
  'VariableDeclaration > VariableDeclarator > NewExpression[callee.name=/(Map|Set)$/][arguments.length=0]':
    'An empty collection',
}
const noStateInModules = Object.entries(declaresState).flatMap(([declaration, what]) =>
  ['Program', 'Program > ExportNamedDeclaration'].map((place) => ({
    selector: `${place} > ${declaration}`,
    message: `${what} of a module is state that all applications share: define a store (webapp/README.md#stores).`,
  })),
)

// For Vue files, and for state in modules of the web application: everything else is linted by Oxlint (.oxlintrc.json).
export default defineConfig(
  {
    ignores: [
      '**/*',
      '!webapp/',
      '!webapp/src/',
      '!webapp/src/**/',
      '!webapp/src/**/*.vue',
      '!webapp/src/**/*.ts',
      'webapp/src/**/*.test.ts',
      // Each worker has separate modules.
      'webapp/src/**/*-worker.ts',
    ],
  },
  {
    files: ['webapp/src/**/*.ts'],
    languageOptions: { parser: tseslint.parser },
    // Oxlint's rules are disabled by comments, too.
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    plugins: { '@typescript-eslint': tseslint.plugin },
    rules: { 'no-restricted-syntax': ['error', ...noStateInModules] },
  },
  {
    files: ['**/*.vue'],
    extends: [
      eslint.configs.recommended,
      tseslint.configs.strictTypeChecked,
      vue.configs['flat/recommended'],
      prettier,
    ],
    languageOptions: {
      parserOptions: {
        parser: tseslint.parser,
        project: './webapp/tsconfig.json',
        extraFileExtensions: ['.vue'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      // A fallible result is often awaited only for its effect; floating promises are caught by another rule.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/only-throw-error': ['error', { allowRethrowing: true }],
      eqeqeq: 'error',
      'no-console': 'error',
      // TypeScript knows the names of the environment better than a list does.
      'no-undef': 'off',
      // ESLint's type information knows no other Vue file, so that everything from one looks like `any`; vue-tsc does know.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      // An optional property that is absent is undefined: TypeScript says so already.
      'vue/require-default-prop': 'off',
    },
  },
)
