// The words with which mail clients begin a quoted message, in the languages they are translated into.

export type QuoteLabel = 'from' | 'date' | 'to' | 'subject' | 'cc'

/** One row per language: From, Sent or Date, To, Subject, Cc; several words are separated by a bar. */
const labelRows: readonly (readonly [string, string, string, string, string, string])[] = [
  ['English', 'from', 'sent|date|sent on|sent at', 'to', 'subject', 'cc'],
  ['German', 'von|absender', 'gesendet|datum|gesendet am', 'an|empfänger', 'betreff|thema', 'cc|kopie'],
  [
    'French',
    'de|expéditeur',
    'envoyé|date|envoyé le|message du',
    'à|a|pour|destinataire',
    'objet|sujet',
    'cc|copie à',
  ],
  [
    'Spanish',
    'de|desde|remitente',
    'enviado|fecha|enviado el|enviados',
    'para|destinatario',
    'asunto',
    'cc|con copia',
  ],
  ['Catalan', 'de', 'enviat|data|enviat el|data d’enviament', 'per a|a', 'assumpte|tema', 'a/c|cc'],
  ['Galician', 'de', 'enviado|data', 'para', 'asunto', 'cc'],
  ['Basque', 'nork|bidaltzailea', 'bidaltze-data|data|bidalita', 'nori|hartzailea', 'gaia', 'cc'],
  ['Portuguese', 'de', 'enviado|data|enviada|enviada em|enviado em', 'para', 'assunto', 'cc'],
  ['Italian', 'da|mittente', 'inviato|data|data invio', 'a|destinatario', 'oggetto|ogg', 'cc'],
  ['Romanian', 'de la|de|expeditor', 'trimis|data|trimise|dată', 'către|catre|la', 'subiect', 'cc'],
  ['Dutch', 'van', 'verzonden|datum|verstuurd', 'aan', 'onderwerp', 'cc'],
  ['Swedish', 'från', 'skickat|datum|skickades', 'till', 'ämne', 'kopia|cc'],
  ['Danish', 'fra', 'sendt|dato', 'til', 'emne', 'cc'],
  ['Norwegian', 'fra', 'sendt|dato', 'til', 'emne', 'kopi'],
  ['Icelandic', 'frá', 'sent|dagsetning', 'til', 'efni', 'afrit'],
  ['Finnish', 'lähettäjä', 'lähetetty|päivämäärä|päiväys', 'vastaanottaja', 'aihe', 'kopio'],
  ['Estonian', 'saatja', 'saadetud|kuupäev|saatmisaeg', 'adressaat|saaja', 'teema', 'koopia'],
  ['Latvian', 'no', 'nosūtīts|datums|sūtīts', 'kam|adresāts', 'temats|tēma', 'kopija'],
  ['Lithuanian', 'nuo|siuntėjas', 'išsiųsta|data', 'kam|gavėjas', 'tema', 'kopija'],
  ['Polish', 'od|nadawca', 'wysłano|data|wysłane', 'do|adresat', 'temat', 'dw|do wiadomości'],
  ['Czech', 'od|odesílatel', 'odesláno|datum', 'komu|pro', 'předmět', 'kopie'],
  ['Slovak', 'od|odosielateľ', 'odoslané|dátum', 'komu|pre', 'predmet', 'kópia'],
  ['Hungarian', 'feladó|küldő', 'elküldve|dátum|küldve', 'címzett', 'tárgy', 'másolatot kap|másolat'],
  ['Slovenian', 'od|pošiljatelj', 'poslano|datum', 'za', 'zadeva', 'kp'],
  ['Croatian', 'od|šalje|pošiljatelj', 'poslano|datum', 'prima|za', 'predmet', 'kopija'],
  ['Serbian', 'од|шаље|posiljalac', 'послато|датум|poslato', 'за|коме', 'тема|предмет|naslov', 'копија'],
  ['Macedonian', 'од', 'испратено|датум', 'до', 'предмет|тема', 'копија'],
  ['Bulgarian', 'от', 'изпратено|дата', 'до', 'относно|тема', 'копие'],
  ['Russian', 'от|от кого|отправитель', 'отправлено|дата|послано', 'кому', 'тема', 'копия'],
  ['Ukrainian', 'від|від кого', 'надіслано|дата|відправлено', 'кому', 'тема', 'копія'],
  ['Belarusian', 'ад|ад каго', 'адпраўлена|дата', 'каму', 'тэма', 'копія'],
  [
    'Greek',
    'από|αποστολέας',
    'στάλθηκε|ημερομηνία|ημ/νία|αποστολή|εστάλη',
    'προς',
    'θέμα',
    'κοιν|κοινοποίηση',
  ],
  [
    'Turkish',
    'kimden|gönderen',
    'gönderildi|tarih|gönderme tarihi|gönderilme|gönderim tarihi',
    'kime|alıcı',
    'konu',
    'bilgi',
  ],
  ['Azerbaijani', 'kimdən', 'göndərilib|tarix', 'kimə', 'mövzu', 'surəti'],
  ['Kazakh', 'кімнен|жіберуші', 'жіберілді|күні', 'кімге', 'тақырып|тақырыбы', 'көшірме'],
  ['Georgian', 'ვისგან|გამომგზავნი', 'გაგზავნილია|თარიღი', 'ვის|მიმღები', 'თემა', 'ასლი'],
  ['Armenian', 'ումից|ուղարկող', 'ուղարկվել է|ամսաթիվ', 'ում', 'թեմա', 'պատճեն'],
  ['Hebrew', 'מאת', 'נשלח|תאריך', 'אל', 'נושא', 'עותק'],
  ['Arabic', 'من|المرسل', 'تاريخ الإرسال|التاريخ|مرسل|أرسل', 'إلى|الى', 'الموضوع', 'نسخة'],
  ['Persian', 'از|فرستنده', 'ارسال شده|تاریخ', 'به|گیرنده', 'موضوع', 'رونوشت'],
  ['Hindi', 'से|प्रेषक', 'भेजा गया|दिनांक|तिथि', 'को|प्रति', 'विषय', 'प्रतिलिपि'],
  ['Thai', 'จาก', 'ส่ง|วันที่|ส่งเมื่อ', 'ถึง', 'เรื่อง|หัวเรื่อง', 'สำเนา'],
  [
    'Vietnamese',
    'từ|người gửi',
    'đã gửi|ngày|gửi|vào ngày',
    'tới|đến|cho|người nhận',
    'chủ đề|tiêu đề',
    'đồng gửi',
  ],
  ['Indonesian', 'dari', 'dikirim|tanggal|terkirim', 'kepada|untuk|ke', 'perihal|subjek|judul', 'tembusan'],
  ['Malay', 'daripada|dari', 'dihantar|tarikh', 'kepada', 'subjek|perkara', 'sk'],
  [
    'Chinese',
    '发件人|寄件者|寄件人|發件人',
    '发送时间|日期|寄件日期|傳送時間|發送時間|时间',
    '收件人|收件者',
    '主题|主旨|主題',
    '抄送|副本',
  ],
  ['Japanese', '差出人|送信者|from', '送信日時|日時|日付|送信日', '宛先', '件名', 'cc'],
  [
    'Korean',
    '보낸 사람|보낸사람|발신',
    '보낸 날짜|날짜|보냄|받은 날짜',
    '받는 사람|받는사람|수신',
    '제목',
    '참조',
  ],
]

const kinds: readonly QuoteLabel[] = ['from', 'date', 'to', 'subject', 'cc']

const labels = new Map<string, QuoteLabel>(
  labelRows.flatMap(([, ...words]) =>
    words.flatMap((list, index) =>
      list.split('|').map((word): [string, QuoteLabel] => [word, kinds[index] as QuoteLabel]),
    ),
  ),
)

/** `wrote` in the line before a quote, as whole words. */
const wroteWords = new Set(
  (
    'wrote writes written said quoth schrieb schrieben schreibt geschrieben schreef geschreven skrev skriver skreiv ' +
    'kirjoitti kirjutas écrit escribió escribio escribiu escriu escrit escreveu scritto scrive rakstīja rašė ' +
    'napisał napisała napisana napisano pisze pisał pisała napsal napsala napísal napísala írta napisao napisala ' +
    'napisal piše пише писал писала писали написа написав написала написал написао пишет пісаў написаў έγραψε ' +
    'yazdı yazmış yazıb жазды დაწერა գրել כתב כתבה كتب كتبت نوشت लिखा เขียนว่า viết menulis scris skrifaði idatzi ' +
    'scríobh ysgrifennodd píše sumulat aliandika напиша піша escriure 写道 寫道 書きました 작성 쓴'
  ).split(' '),
)
/** Languages that write without spaces, or put the word into a longer one. */
const wroteParts = [
  '写道',
  '寫道',
  '書きました',
  'のメール',
  '님이 작성',
  'เขียนว่า',
  'yazdı',
  'a écrit',
  'ha scritto',
  'написал(а)',
]

/** Parts of the words for *original*. */
const originalParts = (
  'original ursprüng origine oorspronk oprindelig opprinnelig ursprunglig alkuperäi orygina původní pôvodn eredeti ' +
  'izvorn исходн оригин первонач вихідн оригінал orijinal özgün αρχικό המקורית الأصلية 元の 原始 원본 gốc asli'
).split(' ')

/** Parts of the words for *forwarded* and *redirected*. */
const forwardParts = (
  'forward weitergeleit weiterleit transfér réexpéd reenvia redirig reencaminh encaminh inoltra doorgest vidarebef ' +
  'videresend välitet edastat przekaz přepos přesměr preposl továbbít redirecț пересыл переслан переадрес ' +
  'переслат προωθ yönlendir iletilen 转发 轉寄 转寄 転送 전달 שהועבר מועבר המועבר توجيه تحويل chuyển diteruskan terusan'
).split(' ')

/** Parts of the words for *message*, *mail* and *original*. */
const messageParts = (
  'message mail nachricht mensaje mensagem messaggio missatge bericht meddelande melding besked meddelelse brev viesti ' +
  'kiri sõnum laišk žinut vēstul wiadomo zpráv správ üzenet levél poruk sporočil mesaj ileti сообщен письм повідомлен ' +
  'лист съобщен порак порук μήνυμα μηνύμ הודעה رسالة الرسالة پیام संदेश ข้อความ thư pesan メッセージ メール 邮件 郵件 ' +
  '메시지 메일 original ursprüng'
).split(' ')

/** One expression finds any of ninety words in a sixteenth of the time that ninety searches take. */
const findsAny = (words: readonly string[]) => {
  const expression = new RegExp(words.join('|'))
  return (text: string): boolean => expression.test(text.toLowerCase())
}

export const saysOriginal = findsAny(originalParts)
const saysMessagePart = findsAny(messageParts)

/** `above this line`, as help desks ask for answers there. */
const aboveLineParts = (
  'above this line|below this line|über dieser linie|über dieser zeile|oberhalb dieser zeile|' +
  'oberhalb dieser linie|au-dessus de cette ligne|sobre esta línea|encima de esta línea|' +
  'arriba de esta línea|sobre aquesta línia|acima desta linha|sopra questa riga|sopra di questa riga|' +
  'sopra questa linea|deasupra acestei linii|deasupra acestui rând|boven deze lijn|boven deze regel|' +
  'over denne linje|over denne streg|ovanför denna rad|ovanför den här raden|ovanför denna linje|' +
  'ovanför den här linjen|tämän rivin yläpuolelle|tämän viivan yläpuolelle|selle rea kohale|' +
  'virs šīs līnijas|virš šios eilutės|powyżej tej linii|powyżej tego wiersza|nad tą linią|nad tento řádek|' +
  'nad tímto řádkem|nad tento riadok|nad týmto riadkom|sor fölé|nad to vrstico|iznad ove linije|' +
  'iznad ovog retka|изнад ове линије|над този ред|над тази линия|выше этой строки|выше этой линии|' +
  'над этой строкой|над этой линией|вище цієї лінії|вище цього рядка|над цим рядком|над цією лінією|' +
  'πάνω από αυτή|bu satırın üst|bu çizginin üst|מעל לשורה|מעל שורה זו|מעל השורה|فوق هذا الخط|فوق هذا السطر|' +
  'بالای این خط|इस पंक्ति के ऊपर|เหนือบรรทัดนี้|trên dòng này|di atas baris ini|di atas garis ini|此行上方|' +
  '此行之上|この行の上|この行より上|このラインより上|이 줄 위|이 선 위|bu satırın üzer'
).split('|')

/** Parts of the words for *reply*, *answer* and *write*. */
const answerParts = (
  'reply respond response answer antwort répon respu respon rispo svar vasta vastau vastus atbild atsak odpow odpov válasz ' +
  'odgov одгов отгов ответ відпов απάντ απαντ yanıt cevap להשיב תגוב תשוב השב رد ردك پاسخ जवाब उत्तर ตอบ trả balas jawab ' +
  '回复 回覆 答复 返信 回答 답장 답변 회신 write type schreib écri escri scriv skriv tipa pisz napiš пиши'
).split(' ')

/** `Original message`, and nothing else, as some phones write it. */
export const isOriginalTitle = (text: string): boolean =>
  text.split(' ').length <= 5 && saysOriginal(text) && saysMessagePart(text)

export const saysAboveLine = findsAny(aboveLineParts)
export const saysAnswer = findsAny(answerParts)
export const saysForwarded = findsAny(forwardParts)
export const saysMessage = (text: string): boolean => saysMessagePart(text) || saysForwarded(text)

/** Without invisible characters, and with plain spaces. */
export const visibleText = (text: string): string =>
  text
    .replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '')
    .replace(/[\s\u00a0]+/g, ' ')
    .trim()

/** The label with which a line begins, such as `From: …` or `*Von:* …`. */
export function labelOf(line: string): QuoteLabel | null {
  const colon = line.slice(0, 48).search(/[:：]/)
  // Notes writes each label into a line of its own.
  if (colon < 1) return line.length <= 20 ? (labels.get(line.toLowerCase()) ?? null) : null
  const word = line
    .slice(0, colon)
    .replace(/[*_|>]/g, ' ')
    .trim()
    .toLowerCase()
  return labels.get(word) ?? null
}

/** The labels of a line. Some clients write several into one: `From: … To: … Subject: …`. */
export function labelsIn(line: string): readonly QuoteLabel[] {
  const first = labelOf(line)
  if (first === null) return []
  const inner = line.matchAll(/(?<=[\s>"])([\p{L}]{1,12}) ?[:：]/gu)
  return [first, ...[...inner].flatMap(([, word = '']) => labels.get(word.toLowerCase()) ?? [])]
}

/** True if the value behind a label can be a date; Notes writes it into the next line. */
export function isDateValue(line: string): boolean {
  const value = line.slice(line.search(/[:：]/) + 1).trim()
  const numbers = value.match(/\p{Nd}+/gu) ?? []
  return value === '' || (numbers.length >= 2 && numbers.join('').length >= 4)
}

/** Old versions of Notes write the labels into the second column of a table. */
export function columnLabel(written: string): QuoteLabel | null {
  if (!written.startsWith('         ')) return null
  const cells = written.trim().split('  ').slice(1)
  const cell = cells.find(text => text.trimStart() !== '')?.trimStart() ?? ''
  return labels.get(cell.slice(0, Math.max(0, cell.indexOf(':'))).toLowerCase()) ?? null
}

export function saysWrote(line: string): boolean {
  const lower = line.toLowerCase()
  return (
    lower.split(/[\s,，、:：;<>()"/-]+/).some(word => wroteWords.has(word)) ||
    wroteParts.some(part => lower.includes(part))
  )
}
