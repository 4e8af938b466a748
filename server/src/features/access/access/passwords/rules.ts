import { invalid } from '#kernel/base/errors.ts'
import { comparisonKey } from '#kernel/db/text.ts'
import { isLeaked, shortestPassword } from './leaked.ts'
import { isPredictable } from './predictable.ts'

/** The person for whom a password is chosen. */
interface PasswordOwner {
  readonly email: string
  readonly name: string
}

/** Throws 422 `weak_password` or `leaked_password` with the name of the field. */
export async function checkPassword(
  password: string,
  { email, name }: PasswordOwner,
  field = 'password',
): Promise<void> {
  const key = comparisonKey(password)
  const personal = [email, email.split('@')[0] ?? '', name].map(comparisonKey)
  if ([...password].length < shortestPassword)
    throw invalid(field, 'weak_password', {
      message: `${field} is too short: it must have at least ${shortestPassword} characters`,
    })
  if (personal.includes(key)) throw invalid(field, 'weak_password')
  if (isPredictable(password) || (await isLeaked(password))) throw invalid(field, 'leaked_password')
}
