import { expect, it } from 'vitest'
import { problemsThrownBy } from '#kernel/base/errors.ts'
import { isPredictable } from './predictable.ts'
import { checkPassword } from './rules.ts'

it.each([
  'passwort1234',
  'Passwort2026!',
  'PasswortPasswort',
  'Willkommen123',
  'qwertzuiopas',
  'qwertzuiopü+',
  'asdfghjklöä#',
  'mnbvcxyasdfg',
  '1qay2wsx3edc',
  'abcdefghijkl',
  '098765432109',
  'aaaabbbbcccc',
])('%s is a password that attackers make up first', async password => {
  expect(isPredictable(password)).toBe(true)
  const ada = { email: 'ada@example.com', name: 'Ada' }
  const problems = await problemsThrownBy(() => checkPassword(password, ada))
  expect(problems.map(({ code }) => code)).toEqual(['leaked_password'])
})

it.each([
  'seven green bicycles',
  'correct battery staple horse',
  'mein passwort ist ein gedicht',
  '839201746529',
  'qwertz und ein elefant',
  '密码是一首诗歌而已不是吗啊',
])('%s is none of them', password => expect(isPredictable(password)).toBe(false))

it('that is too short is called so', async () => {
  const ada = { email: 'ada@example.com', name: 'Ada' }
  const [problem] = await problemsThrownBy(() => checkPassword('elevenchars', ada))
  expect(problem).toMatchObject({
    code: 'weak_password',
    message: 'password is too short: it must have at least 12 characters',
  })
})
