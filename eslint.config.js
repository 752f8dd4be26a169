import eslint from '@eslint/js'
import prettier from 'eslint-config-prettier'
import vue from 'eslint-plugin-vue'
import globals from 'globals'
import tseslint from 'typescript-eslint'

export default tseslint.config(
  { ignores: ['**/dist/', '**/node_modules/', '.runtime/', 'data/', 'clients/', 'e2e/results/'] },
  eslint.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  ...vue.configs['flat/recommended'],
  {
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.tests.json', './*/tsconfig.json'],
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
    },
  },
  {
    // TypeScript knows the names of each environment better than a list does.
    files: ['**/*.ts', '**/*.vue'],
    rules: { 'no-undef': 'off' },
  },
  { files: ['**/*.vue'], languageOptions: { parserOptions: { parser: tseslint.parser } } },
  {
    // ESLint's type information knows no .vue file, so that everything from one looks like `any`; vue-tsc does know.
    files: ['webapp/**/*.vue', 'webapp/src/app/router.ts', 'webapp/src/main.ts', 'webapp/**/*.test.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      // An optional property that is absent is undefined: TypeScript says so already.
      'vue/require-default-prop': 'off',
    },
  },
  {
    files: ['**/*.mjs', '**/*.js', '**/*.cjs'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { globals: globals.node },
  },
  {
    // These talk to a person at a terminal.
    files: ['scripts/**', 'terminal/src/process.ts', 'server/bin/**', 'cli/src/main.ts', 'bench/**'],
    rules: { 'no-console': 'off' },
  },
  prettier,
)
