// Passwords that are long enough and not in the list, but among the first that attackers make up: a common word with
// digits (passwort1234), rows of the keyboard (qwertzuiopas), and counting.

const words =
  /passwort|password|kennwort|geheim|willkommen|welcome|hallo|hello|changeme|letmein|iloveyou|schatz|admin|signoff/g

const sequences = [
  'qwertzuiopüasdfghjklöäyxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'qwertyuiopasdfghjklzxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6zhn7ujm',
  '1qay2wsx3edc4rfv5tgb6zhn7ujm',
  'abcdefghijklmnopqrstuvwxyz',
  '12345678901234567890',
]
const directions = sequences.flatMap(row => [row, [...row].reverse().join('')])

const shortestRun = 3

/** The length of the run that begins at this place: neighbours of a sequence, or one character again and again. */
function runAt(text: string, start: number): number {
  let longest = 1
  while (text[start + longest] === text[start]) longest += 1
  for (const row of directions)
    while (row.includes(text.slice(start, start + longest + 1)) && start + longest < text.length) longest += 1
  return longest
}

function withoutRuns(text: string): string {
  let rest = ''
  for (let place = 0; place < text.length; ) {
    const length = runAt(text, place)
    if (length < shortestRun) rest += text[place]
    place += length < shortestRun ? 1 : length
  }
  return rest
}

/** True if almost nothing is left of the password without common words and runs. */
export function isPredictable(password: string): boolean {
  const text = password.toLowerCase()
  const rest = withoutRuns(text.replace(words, ''))
  const letters = rest.replace(/\P{L}/gu, '')
  return text.length - rest.length >= 6 && rest.length <= 6 && letters.length <= 2
}
