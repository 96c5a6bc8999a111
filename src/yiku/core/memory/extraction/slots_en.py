"""Which slots do English words fill? The words after the subject, known whole: (I) am a nurse, (I) live in Lyon."""

from __future__ import annotations

import re

from yiku.core.memory.extraction.slots import DISLIKE, LIKE, NO, YES, SlotRule

_BE = r"(?:am|is|are)"
_HAVE = r"(?:have|has)"
_NOT = r"(?:do not|does not|don't|doesn't|never)"
_MANNER = (
    r"(?:(?:really|absolutely|also|just|still|now|currently|always|usually|mostly|mainly|especially|truly"
    r"|simply|actually"
    r"|particularly|totally|only|definitely|honestly|so|even|genuinely|already|recently|finally|personally) )*+"
)
_NO_LONGER = r"(?:no longer|don't|doesn't|do not|does not)"
_END = (
    r"(?:,? for (?:about |over |almost |nearly )?(?:\w+ ){1,2}(?:years?|months?|weeks?))?"
    r"(?:[, ]*\b(?:now|too|as well|these days|nowadays|currently|at the moment|actually|though|a lot|so much|very much"
    r"|lol|haha|right now|by the way|btw|again|myself))*+"
)
_ANY_MORE = r"(?: (?:any ?more|any longer))?"
_NAME = r"(?P<value>(?-i:[A-Z])[\w'-]+(?: (?-i:[A-Z])[\w'-]+){0,3})"
_NO_NAME = (
    r"(?-i:[A-Z]\w*(?:ish|ese|ian|can|ean|ic|ch|man)\b|[A-Z]{2,}|(?:Greek|Dutch|Swiss|Thai|Muslim|Jewish"
    r"|Czech|Iraqi|Israeli"
    r"|Sorry|Just|Not|Here|Done|Sure|In|On|At|So)\b)"
)
_PLACE = (
    r"(?P<value>(?!(?:an?|my|our|this|that|his|her|their|your) )(?:(?!(?:with|and|but|for|since|near|because"
    r"|where|so|which) )[\w'.-]+,? ?){1,4}?)"
)
_THING = (
    r"(?P<topic>(?!the (?!sea|ocean|beach|outdoors|mountains|country|city|piano|guitar|violin|cello|drums"
    r"|rain|snow|cold|heat|sun)\b)"
    r"(?!(?:to|that|how|when|what|where|it|the way|the fact|my|your|our|his|their|having|being) )"
    r"(?:(?!(?:because|when|if|but|so|since|that|as|than|with|for|by|from|after|before|while|who|which"
    r"|over|any|anymore)\b)[\w'&+#.-]+ ?){1,4}?)"
)
_ENJOYED = (
    r"(?:(?:drinking|eating|to drink|to eat|watching|to watch|playing|to play|reading|to read|listening to|to listen to"
    r"|doing|going|to go|to) )?"
)
_FOOD = (
    r"(?P<topic>(?!(?:it|that|this|much|enough|to|with|at|in|out) )"
    r"(?:(?!(?:because|when|if|but|so|since|at|in|with|for|every|after|before|any|anymore)\b)[\w'-]+ ?){1,3}?)"
)
_BY_NAME = r"(?-i:[A-Z])[\w&.'-]*(?: (?-i:[A-Z])[\w&.'-]*){0,3}"
_SOMEWHERE = (
    r"(?: (?:at|in|for) (?:an?|the|my|our)"
    r" (?:(?!(?:and|but|because|who|which|that|with|when|if|so|story|film|movie|play|game|novel|book)\b)"
    r"[\w'&-]+ ?){1,4}?)?"
)
"""Where one works, by what it is and not by name: it is no part of what one does."""
_CAREFUL = r"(?:(?:very|severely|highly|deathly|mildly|slightly|seriously|really|extremely|quite) )*+"
_NUMBER = (
    r"(?:\d{1,3}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ](?:one|two|three|four|five"
    r"|six|seven|eight|nine))?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen"
    r"|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen)"
)
_JOB = (
    r"(?:[\w-]+ ){0,3}?(?:nurse|doctor|teacher|engineer|developer|programmer|designer|lawyer|accountant|student|manager"
    r"|writer|journalist|editor|architect|chef|cook|waiter|waitress|barista|baker|plumber|electrician"
    r"|carpenter|mechanic"
    r"|driver|pilot|firefighter|paramedic|officer|scientist|researcher|professor|lecturer|tutor|librarian|therapist"
    r"|psychologist|psychiatrist|dentist|pharmacist|veterinarian|vet|surgeon|physiotherapist|counselor|counsellor"
    r"|social worker|consultant|analyst|director|ceo|cto|founder|co-founder|entrepreneur|freelancer|artist|musician"
    r"|painter|photographer|actor|actress|singer|dancer|filmmaker|translator|interpreter|secretary"
    r"|assistant|receptionist"
    r"|cashier|salesperson|marketer|recruiter|farmer|gardener|soldier|realtor|banker|economist|biologist"
    r"|chemist|physicist"
    r"|mathematician|historian|coach|personal trainer|hairdresser|tailor|technician|administrator"
    r"|coordinator|specialist"
    r"|stay-at-home (?:mom|mum|dad|parent)|homemaker|intern|apprentice|postdoc|welder|midwife|judge"
    r"|attorney|barber|clerk)"
)
_ORGANISATION = r"(?P<value>(?:an? |the )?(?-i:[A-Z])[\w&.'-]*(?: (?:(?-i:[A-Z])[\w&.'-]*|of|the|and|&)){0,4})"
_SCHOOL = (
    r"(?P<value>(?:the )?(?:(?-i:[A-Z])[\w&.'-]*|of|at|the|high)(?: (?:(?-i:[A-Z])[\w&.'-]*|of|at|the|high"
    r"|school)){0,5}|college|high school|medical school|law school|grad school)"
)
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DATE = (
    rf"(?P<value>(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}(?:,? \d{{4}})?"
    rf"|{_MONTH} (?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?)"
)
_DISEASE = (
    r"(?P<topic>(?:(?:type [12]|mild|severe|chronic|seasonal|high|low|bad) )*+(?:diabetes|asthma"
    r"|migraines?|blood pressure"
    r"|hypertension|anxiety|depression|adhd|autism|arthritis|cancer|celiac disease|coeliac disease"
    r"|crohn's(?: disease)?|ibs|eczema"
    r"|psoriasis|epilepsy|insomnia|anemia|hypothyroidism|hay fever|allergies|back pain|sciatica|scoliosis|pcos|dyslexia"
    r"|ptsd|bipolar disorder|gerd|acid reflux|tinnitus|glaucoma|osteoporosis|heart disease|kidney stones))"
)
_PET = (
    r"(?P<topic>cat|dog|puppy|kitten|rabbit|hamster|parrot|turtle|tortoise|guinea pig|horse|goldfish|snake"
    r"|lizard|bird|ferret|labrador|beagle|poodle|corgi|husky)"
)
_LANGUAGE = (
    r"(?P<topic>english|french|german|spanish|italian|portuguese|chinese|mandarin|cantonese|japanese"
    r"|korean|russian|arabic"
    r"|hindi|dutch|swedish|polish|turkish|greek|hebrew|vietnamese|thai|danish|norwegian|finnish|czech"
    r"|hungarian|ukrainian)"
)
_OFTEN = (
    r"(?P<value>every (?:\w+ ){0,2}?\w+|(?:once|twice|three times|\d+ times) an? \w+|daily|weekly|on (?:mon"
    r"|tues|wednes|thurs|fri|satur|sun)days)"
)


def _rule(attribute: str, pattern: str, **given: object) -> SlotRule:
    return SlotRule(attribute, re.compile(pattern, re.IGNORECASE), **given)  # type: ignore[arg-type]


OF_SUBJECT: tuple[SlotRule, ...] = (
    _rule("name", rf"{_BE} (?:called|named) {_NAME}{_END}", one=False),
    _rule("name", rf"{_BE} (?!{_NO_NAME}){_NAME}", one=False),
    _rule("age", rf"{_BE} (?:now )?(?P<value>{_NUMBER})(?:[- ]years?[- ]old| yo| y/o)?{_END}"),
    _rule("age", rf"(?:just |recently )?turned (?P<value>{_NUMBER})(?: years old)?{_END}"),
    _rule("birthday", rf"was born on {_DATE}", one=False),
    _rule("birthday", r"was born in (?P<value>(?:19|20)\d\d)"),
    _rule("birthplace", rf"was born in {_PLACE}", one=False),
    _rule(
        "home",
        rf"{_MANNER}(?:lives?|resides?|{_BE} {_MANNER}(?:living|based|settled)|{_HAVE} (?:been living"
        rf"|lived)) {_MANNER}in {_PLACE}{_END}",
        one=False,
    ),
    _rule("home", rf"{_MANNER}(?:{_HAVE} )?{_MANNER}(?:moved|relocated) (?:back |over )?to {_PLACE}{_END}", one=False),
    _rule(
        "hometown", rf"(?:{_BE} (?:originally )?|(?:originally )?comes? )from {_PLACE}(?: originally)?{_END}", one=False
    ),
    _rule("hometown", rf"(?:grew up|was born and raised|was raised) in {_PLACE}{_END}", one=False),
    _rule(
        "job",
        rf"{_BE} (?:now |currently )?(?:an?|the) (?P<value>{_JOB}(?: (?:at|for) {_BY_NAME})?)"
        rf"{_SOMEWHERE}{_END}",
    ),
    _rule(
        "job",
        rf"{_MANNER}(?:works?|{_BE} working|started working) {_MANNER}as an? (?P<value>{_JOB}(?: (?:at"
        rf"|for) {_BY_NAME})?){_SOMEWHERE}{_END}",
    ),
    _rule(
        "job",
        rf"{_MANNER}(?:became|{_HAVE} become|got a job as|was promoted to"
        rf"|got promoted to) (?:an? )?(?P<value>{_JOB}){_END}",
    ),
    _rule(
        "employer",
        rf"{_MANNER}(?:works?|{_BE} (?:working|employed|interning)|started(?: working)?|interns?) (?:at"
        rf"|for) {_ORGANISATION}{_END}",
        one=False,
    ),
    _rule("employer", rf"{_MANNER}(?:joined|got (?:a|the|my) (?:new )?job at) {_ORGANISATION}{_END}", one=False),
    _rule("school", rf"(?:stud(?:y|ies)|{_BE} (?:studying|enrolled)|goes|go) (?:at|to) {_SCHOOL}{_END}", one=False),
    _rule("school", rf"attends? {_SCHOOL}{_END}", one=False),
    _rule("education", rf"(?:{_MANNER})graduated from {_SCHOOL}{_END}", one=False),
    _rule(
        "major",
        r"(?:stud(?:y|ies)|(?:am|is) studying|majors? in|(?:am|is) majoring in) (?P<value>(?:computer"
        r"|political|data|environmental) science|(?:mechanical|electrical|civil|software) engineering"
        r"|medicine|law|physics|biology|chemistry|mathematics|maths?|history|philosophy|psychology"
        r"|economics|architecture|linguistics|sociology|literature|art history|nursing|business"
        r"|engineering|art|music|design|journalism)" + _END,
    ),
    _rule(
        "marital status",
        rf"{_BE} (?:now |happily |still |recently |newly )*+(?P<value>married|single|divorced|engaged|widowed){_END}",
    ),
    _rule("marital status", rf"(?:just |recently |finally )?got (?P<value>married|divorced|engaged){_END}"),
    _rule(
        "diet",
        rf"(?:{_BE}|{_HAVE} been) (?:now |currently |mostly )*+(?:an? )?(?:strict )?(?P<value>vegan"
        r"|vegetarian|pescatarian"
        rf"|flexitarian){_END}",
    ),
    _rule(
        "diet",
        rf"(?:became|went|turned|{_HAVE} gone|{_HAVE} become) (?:an? )?(?P<value>vegan|vegetarian|pescatarian){_END}",
    ),
    _rule(
        "diet",
        rf"{_MANNER}(?:{_NO_LONGER}|never|can't|cannot|can not) {_MANNER}(?:eats?|drinks?"
        rf"|have) {_FOOD}{_ANY_MORE}{_END}",
        value=NO,
    ),
    _rule(
        "diet", rf"{_MANNER}(?:{_HAVE} )?(?:stopped|quit|gave up|given up) (?:eating|drinking) {_FOOD}{_END}", value=NO
    ),
    _rule(
        "diet",
        rf"{_MANNER}(?:{_HAVE} )?(?:quit|gave up|given up) (?P<topic>coffee|alcohol|sugar|meat|dairy|gluten"
        rf"|caffeine|soda){_END}",
        value=NO,
    ),
    _rule(
        "diet",
        rf"{_MANNER}(?:started|started to|{_HAVE} started) (?:eat|drink)(?:ing)? {_FOOD}(?: again)?{_END}",
        value=YES,
    ),
    _rule("diet", rf"{_MANNER}(?:eats?|drinks?) {_FOOD}{_END}", value=YES),
    _rule("allergy", rf"{_BE} {_MANNER}{_CAREFUL}allergic to {_THING}{_END}", value=YES),
    _rule("allergy", rf"{_BE} (?:not|no longer) {_MANNER}allergic to {_THING}{_ANY_MORE}{_END}", value=NO),
    _rule("allergy", rf"{_HAVE} an? (?:severe |bad |serious |mild )?(?P<topic>[\w-]+(?: [\w-]+)?) allergy", value=YES),
    _rule("allergy", rf"{_BE} {_CAREFUL}(?P<topic>lactose|gluten)[- ]intolerant{_END}", value=YES),
    _rule(
        "health",
        rf"{_MANNER}(?:{_HAVE}|{_HAVE} got|suffers? from|{_HAVE} been diagnosed with|was (?:recently "
        rf"|just )?diagnosed with|deals? with|struggles? with) {_DISEASE}{_END}",
        value=YES,
    ),
    _rule(
        "health",
        rf"{_BE} (?P<topic>pregnant|diabetic|asthmatic|autistic|dyslexic|colorblind|colourblind){_END}",
        value=YES,
    ),
    _rule(
        "habit",
        rf"{_MANNER}(?:{_HAVE} )?(?:stopped|quit|gave up|given up) (?P<topic>smoking|vaping|drinking){_END}",
        value=NO,
    ),
    _rule(
        "habit",
        rf"{_MANNER}{_NO_LONGER} (?P<topic>smoke|vape){_ANY_MORE}{_END}".replace(
            "<topic>smoke|vape", "<topic>smok(?=e)|vap(?=e)"
        ),
        value=NO,
    ),
    _rule("pet", rf"{_HAVE} an? (?:[\w-]+ )?{_PET} (?:called|named) {_NAME}", one=False),
    _rule(
        "tools",
        rf"{_MANNER}uses? (?P<value>(?-i:[A-Z])[\w.+#-]*(?: (?-i:[A-Z0-9])[\w.+#-]*){{0,2}}|vim|emacs|linux"
        rf"|python) (?:for|to|as my) (?P<topic>[\w-]+(?: [\w-]+){{0,2}}){_END}",
    ),
    _rule(
        "tools",
        rf"{_MANNER}(?:{_NO_LONGER}|stopped) (?:use"
        rf"|using) (?P<topic>(?-i:[A-Z])[\w.+#-]*(?: (?-i:[A-Z0-9])[\w.+#-]*){{0,2}}){_ANY_MORE}{_END}",
        value=NO,
    ),
    _rule(
        "tools", rf"{_MANNER}uses? (?P<topic>(?-i:[A-Z])[\w.+#-]*(?: (?-i:[A-Z0-9])[\w.+#-]*){{0,2}}){_END}", value=YES
    ),
    _rule(
        "languages",
        rf"{_MANNER}(?:speaks?|{_BE} fluent in) (?:fluent |some |a little |good )?{_LANGUAGE}(?: fluently"
        rf"| well)?{_END}",
        value=YES,
    ),
    _rule("languages", rf"{_NOT} speak (?:any )?{_LANGUAGE}{_END}", value=NO),
    _rule(
        "likes",
        rf"{_MANNER}(?:loves?|likes?|enjoys?|adores?|prefers?|{_BE} {_MANNER}(?:into|fond of|crazy about"
        rf"|a (?:big |huge )?fan of)) {_ENJOYED}{_THING}{_END}",
        value=LIKE,
    ),
    _rule(
        "likes",
        rf"{_MANNER}(?:{_NOT}|no longer) {_MANNER}(?:care for|like|love|enjoy) {_ENJOYED}{_THING}{_ANY_MORE}{_END}",
        value=DISLIKE,
    ),
    _rule(
        "likes",
        rf"{_MANNER}(?:hates?|dislikes?|can't stand|cannot stand|detests?|{_BE} (?:not into"
        rf"|not a (?:big )?fan of|tired of|sick of)) {_ENJOYED}{_THING}{_END}",
        value=DISLIKE,
    ),
    _rule(
        "habit",
        rf"{_MANNER}(?P<topic>(?:go|run|swim|cycle|jog|meditate|journal|walk|cook|practi[cs]e|work out"
        r"|exercise|do|play|read|write|volunteer|attend|hike|bike|climb"
        rf"|train)(?: [\w'-]+){{0,4}}?) {_OFTEN}{_END}",
        one=False,
    ),
)
"""After "I" and after "my sister" alike; the speaker's own contractions are written out."""

OF_THING: tuple[SlotRule, ...] = (
    _rule("name", rf"(?:full |first |real )?name is {_NAME}{_END}", one=False),
    _rule("nickname", rf"(?:nickname is|friends call me) {_NAME}{_END}"),
    _rule("birthday", rf"birthday is (?:on )?{_DATE}{_END}", one=False),
    _rule("address", r"(?:home |new |current |postal )?address is (?:now )?(?P<value>[\w .,'-]{4,38})", one=False),
    _rule("hometown", rf"hometown is {_PLACE}{_END}", one=False),
    _rule(
        "native language",
        rf"(?:native language|mother tongue|first language) is {_LANGUAGE.replace('topic', 'value')}{_END}",
    ),
    _rule("job", rf"(?:new )?(?:job|profession|occupation) is (?:an? )?(?P<value>{_JOB})"),
    _rule(
        "contact",
        r"(?:new )?(?:(?:phone|mobile|cell|telephone) number|number|phone) is (?:now )?"
        r"(?P<value>[+\d][\d ()-]{5,20}\d)",
        topic="phone",
    ),
    _rule("contact", r"(?:new )?e-?mail(?: address)? is (?:now )?(?P<value>[\w.+-]+@[\w.-]+\w)", topic="email"),
    _rule("blood type", r"blood type is (?P<value>(?:a|b|ab|o)(?: (?:positive|negative)|[+-])?)"),
    _rule(
        "favourite",
        r"(?:all[- ]time )?favou?rite (?P<topic>[\w-]+(?: [\w-]+)?) (?:is"
        r"|are) (?:probably )?(?P<value>[\w'&.: -]{1,38})",
    ),
    _rule("pet", rf"{_PET}(?:'s name)? is (?:called |named )?{_NAME}{_END}", one=False),
    _rule(
        "tools",
        r"(?:main |current |new )?(?P<topic>laptop|phone|car|editor|ide|operating system|browser"
        r"|tech stack|database) is (?:an? )?(?P<value>(?-i:[A-Z]|i(?=P))[\w.+#,/ -]{1,36})",
        one=False,
    ),
)
"""After "my" and after "my sister's"."""
