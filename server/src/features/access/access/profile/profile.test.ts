import { expect, it } from 'vitest'
import { fieldErrors, testApp } from '#test/support/app.ts'

it('the name of a person is one plain line, wherever it is sent', async () => {
  const app = await testApp()
  const person = await app.signIn({ role: 'admin' })
  const names = [
    'Ada\nBcc: x@example.com',
    'Ada\u0000',
    'Ada\u202eecalevoL',
    'Ada\u2028Lovelace',
    '\u200fAda',
  ]
  for (const name of names) {
    const answers = [
      await person.patch('/v1/me/account', { name }),
      await person.post('/v1/members', { member: { email: 'new@example.com', name, role: 'member' } }),
      await person.patch(`/v1/members/${person.memberId}`, { member: { name } }),
      await app.post('/auth/setup', { token: 'x', name, password: 'x' }, { key: null }),
      await app.post('/auth/invitation', { token: 'x', name, password: 'x' }, { key: null }),
    ]
    for (const answer of answers) {
      expect(answer.status, JSON.stringify(name)).toBe(422)
      expect(Object.keys(fieldErrors(answer)).some(field => field.endsWith('name'))).toBe(true)
    }
  }
  const answer = await person.patch('/v1/me/account', { name: 'Ada Lovelace أدا' })
  expect([answer.status, answer.body.data.name]).toEqual([200, 'Ada Lovelace أدا'])
})
