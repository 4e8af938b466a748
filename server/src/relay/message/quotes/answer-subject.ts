/** Words that mail clients put before the subject of a reply or a forwarded message, without the colon. */
const answerPrefixes = new Set(
  (
    're aw antw antwort sv vs vl odp ynt ilt rif ref res resp enc fw fwd wg tr rv i r bls trs vá továbbítás ' +
    'отв пересл ha σχετ πρθ доз отг 回复 回覆 答复 转发 轉寄 返信 転送 답장 회신 전달 תגובה رد'
  ).split(' '),
)

/** The first word in a subject that is encoded for the header (RFC 2047). */
function decodedStart(subject: string): string {
  const [, encoding = '', text = ''] = /^=\?[^?]{1,60}\?([bBqQ])\?([^?]{0,100})/.exec(subject) ?? []
  if (encoding === '') return subject
  if (encoding.toLowerCase() === 'b') return Buffer.from(text, 'base64').toString('utf8')
  const bytes = text
    .replaceAll('_', ' ')
    .replace(/=([\dA-Fa-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** `Re: …`, `AW: …`, `Re[2]: …`: a message that answers another one, also without the headers that say so. */
export function isAnswerSubject(subject: string): boolean {
  const [, word = ''] =
    /^([^\s:：[(]{1,12})(?:[[(]\d{1,3}[\])])? ?[:：]/u.exec(decodedStart(subject.trim())) ?? []
  return answerPrefixes.has(word.toLowerCase())
}
