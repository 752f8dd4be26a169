import { expect, test } from 'vitest'
import { mysqlURL, postgresURL } from './connection.ts'

test.each([
  [
    'postgres://plik:secret@db.example/plik?sslmode=disable',
    'postgres://plik:secret@db.example/plik?sslmode=disable',
  ],
  [
    "host=db.example port=5433 user=plik password='p a\\'s' dbname=plik TimeZone=Europe/Paris",
    'postgres:///plik?host=db.example&port=5433&user=plik&password=p+a%27s',
  ],
  ['host=/run/postgresql dbname=plik', 'postgres:///plik?host=%2Frun%2Fpostgresql'],
])('the connection string %s of PostgreSQL', (written, url) => {
  expect(postgresURL(written)).toBe(url)
})

test.each([
  ['mysql://plik:secret@db.example/plik', 'mysql://plik:secret@db.example/plik'],
  [
    'plik:p@ss/w:rd@tcp(db.example:3307)/plik?charset=utf8mb4&parseTime=True',
    'mysql://plik:p%40ss%2Fw%3Ard@db.example:3307/plik',
  ],
  [
    'plik@unix(/run/mysqld/mysqld.sock)/plik',
    'mysql://plik:@localhost/plik?socketPath=%2Frun%2Fmysqld%2Fmysqld.sock',
  ],
  ['plik:secret@/plik', 'mysql://plik:secret@localhost/plik'],
])('the connection string %s of MySQL', (written, url) => {
  expect(mysqlURL(written)).toBe(url)
})

test('another connection string is refused', () => {
  expect(() => postgresURL('plik.db')).toThrow('neither a URL')
  expect(() => mysqlURL('plik.db')).toThrow('not in the form')
})
