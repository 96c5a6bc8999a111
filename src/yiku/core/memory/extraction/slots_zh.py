"""Which slots do Chinese words fill? The words after the subject, known whole: (我)叫张伟, (我)对花生过敏."""

from __future__ import annotations

import re

from yiku.core.memory.extraction.slots import DISLIKE, LIKE, NO, YES, SlotRule

_NUMBER = r"(?:\d{1,3}|[一二两三四五六七八九十百]{1,4})"
_NAME = r"(?P<value>[^\s，。,的了过吧吗在去来不]{1,8}|[A-Za-z][A-Za-z .·'-]{0,30})"
_PLACE = (
    r"(?P<value>(?!.*(?:酒店|宾馆|民宿|旅馆|医院|朋友家|隔壁|[楼下上里中]$|公司|宿舍|新家))"
    r"(?:[\u4e00-\u9fff·]{2,14}?|[A-Z][A-Za-z .]{1,30}?))"
)
_HOME_REGIONS = (
    "北京|上海|天津|重庆|河北|山西|辽宁|吉林|黑龙江|江苏|浙江|安徽|福建|江西|山东|河南|湖北|湖南|广东"
    "|海南|四川|贵州|云南|陕西|甘肃"
    "|青海|台湾|内蒙古?|广西|西藏|宁夏|新疆|香港|澳门|东北|广州|深圳|杭州|南京|苏州|成都|武汉|西安|长沙"
    "|郑州|青岛|大连|沈阳|哈尔滨|厦门"
    "|福州|宁波|温州|无锡|合肥|济南|昆明|贵阳|南昌|石家庄|太原|兰州|中国|美国|英国|法国|德国|日本|韩国"
    "|加拿大|澳大利亚|新加坡|马来西亚"
)
_MANY = r"(?:真的?|特别|非常|超级?|很|挺|蛮|比较|最|更|一直|从小就?|都|也|还是?|其实|好)*+"
_ENJOYED = r"(?:喝|吃|看|听|玩|打|踢|弹|逛)?"
_THING = r"(?P<topic>[^，。！？的了过]{1,12}?)"
_DISEASE = (
    r"(?P<topic>[\u4e00-\u9fff]{0,6}(?:病|炎|症|癌|血压|血脂|血糖|哮喘|近视|贫血|偏头痛|痛风|失眠|湿疹|抑郁"
    r"|焦虑|结石|骨折))"
)
_ORGANISATION = (
    r"(?P<value>[^，。！？\s的]{0,14}(?:公司|集团|银行|医院|学校|大学|学院|中学|小学|幼儿园|科技|工厂|局"
    r"|研究院|研究所|事务所"
    r"|工作室|出版社|报社|电视台|酒店|餐厅|阿里|阿里巴巴|蚂蚁|腾讯|百度|字节|字节跳动|华为|美团|京东|网易"
    r"|小米|滴滴|拼多多|谷歌|微软"
    r"|苹果|亚马逊|特斯拉|比亚迪|快手|哔哩哔哩)|[A-Za-z][A-Za-z0-9 &.]{1,20})"
)
_SCHOOL = (
    r"(?P<value>[^，。！？\s的]{0,12}(?:大学|学院|中学|高中|小学|学校|附中|北大|清华|复旦|[一二三四五六七八九十]中))"
)
_SOMEWHERE = (
    r"[^，。！？\s的想考虑]{0,10}(?:公司|集团|银行|医院|诊所|学校|大学|学院|中学|小学|幼儿园|工厂|厂|局|研究院|研究所|事务所"
    r"|工作室|出版社|报社|电视台|酒店|餐厅|店|机构|单位|社区|部队|球队)"
)
"""Where one works: no part of what one does."""
_JOB = (
    r"(?P<value>[^，。！？\s的在]{0,10}(?:医生|护士|律师|老师|教师|厨师|设计师|工程师|会计师?|药剂师"
    r"|摄影师|理发师|美容师|咨询师"
    r"|分析师|架构师|程序员|公务员|服务员|售货员|快递员|飞行员|销售员?|业务员|消防员|研究员|收银员|演员"
    r"|教练|教授|讲师|经理|总监|主管"
    r"|助理|司机|记者|编辑|翻译|作家|画家|歌手|警察|军人|农民|学生|研究生|博士生?|博士后|硕士生?|大一新生"
    r"|创业者|老板|主播|博主|导游"
    r"|秘书|裁缝|木匠|电工|水手|空姐|空乘|自由职业者?|全职妈妈|家庭主妇|产品经理|运营|(?:前端|后端|测试"
    r"|算法|运维|软件)(?:开发)?|码农|HR|CEO|CTO))"
)
_RELATIVE_DAY = r"(?!.*(?:今[天晚早]|明[天晚早]|昨[天晚]|[上下这本]次|刚才|刚刚|一会))"
_FOOD = r"(?P<topic>[^，。！？了过的]{1,8}?)"
_LANGUAGE = r"(?P<topic>[\u4e00-\u9fff]{1,3}(?:语|文|话))"
_END = rf"(?:(?:快)?(?:半|{_NUMBER})多?(?:年|个月|周|天)多?)?(?:了|的|呢|啊|哦|呀|哈|啦|吧)?"


def _rule(attribute: str, pattern: str, **given: object) -> SlotRule:
    return SlotRule(attribute, re.compile(pattern), **given)  # type: ignore[arg-type]


RULES: tuple[SlotRule, ...] = (
    _rule(
        "pet", rf"(?:家)?(?:的)?(?P<topic>猫|狗|兔子|仓鼠|鹦鹉|乌龟)[咪狗]?(?:的?名字)?(?:叫|名叫){_NAME}", one=False
    ),
    _rule("name", rf"(?:的)?(?:中文|英文)?(?:名字|全名|大名|本名|真名|姓名)(?:是|叫做?|为)?[:：]?{_NAME}", one=False),
    _rule("name", rf"(?:的名字)?(?:名?叫|叫做)(?!外卖|车|滴滴|醒|人|救护车){_NAME}", one=False),
    _rule("nickname", r"(?:的)?(?:小名|外号|昵称|网名)(?:是|叫做?)?(?P<value>[^\s，。的了过]{1,10})"),
    _rule("age", rf"(?:今年|现在|已经|刚满|刚过|年龄是)*+(?P<value>{_NUMBER})(?:周?岁)(?:了|半)?"),
    _rule("age", r"今年(?:已经|刚|满)*+(?P<value>\d{1,3})" + _END),
    _rule(
        "birthday",
        r"(?:的)?生日(?:是|在|：|:)?(?:每年)?(?:的)?(?P<value>(?:农历|阴历)?(?:\d{4}年)?\d{1,2}月\d{1,2}[日号])" + _END,
    ),
    _rule("birthday", r"(?:是)?(?:出)?生于(?P<value>\d{4}年(?:\d{1,2}月(?:\d{1,2}[日号])?)?)"),
    _rule("birthday", r"(?:是)?(?P<value>\d{4}年(?:\d{1,2}月(?:\d{1,2}[日号])?)?)(?:出生|生)(?:的|人)?"),
    _rule(
        "address",
        r"(?:的)?(?:家庭|收货|新|现在的)?(?:地址|住址)(?:是|在|改成了?|换成了?|：|:)(?P<value>[^，。！？]{3,38})",
        one=False,
    ),
    _rule(
        "home",
        r"(?:现在|目前|一直)?(?:就)?(?:住在|住|定居在?|常驻|人在|家住"
        rf"|(?:的)?家(?:就)?在){_PLACE}(?:住?了?(?:快|有)?{_NUMBER}多?(?:年|个月)多?)?{_END}",
        one=False,
    ),
    _rule(
        "home",
        r"(?:又|已经|刚|刚刚|终于|最近)*+(?:搬家?|移居|搬回)(?:到|去|来|回|至)?了?(?!家|新|三|二"
        rf"|一){_PLACE}(?:住|居住|生活|定居)?{_END}",
        one=False,
    ),
    _rule(
        "home",
        rf"(?:现在|目前)?在{_PLACE}(?:居住|生活|定居|住)(?:了?(?:快|有)?{_NUMBER}(?:多)?(?:年|个月)多?)?{_END}",
        one=False,
    ),
    _rule("hometown", rf"(?:的)?老家(?:是|在){_PLACE}(?:人)?{_END}", one=False),
    _rule("hometown", rf"来自{_PLACE}", one=False),
    _rule(
        "hometown",
        rf"是(?:土生土长的?|地道的?)?(?P<value>{_HOME_REGIONS}|[\u4e00-\u9fff]{{1,5}}[省市县])人{_END}",
        one=False,
    ),
    _rule("job", rf"(?:现在|目前)?(?:是|在?做|在?当|担任|成为了?|的(?:工作|职业)是)(?:了)?(?:一[名个位])?{_JOB}{_END}"),
    _rule("job", rf"(?:现在|目前)?在{_SOMEWHERE}(?:当|做|担任)了?(?:一[名个位])?{_JOB}{_END}"),
    _rule("job", rf"(?:现在|目前)?是(?:一[名个位])?在{_SOMEWHERE}(?:工作|上班)的{_JOB}{_END}"),
    _rule(
        "job", rf"(?:现在|目前)?(?:转行|改行|转岗|升职?|晋升|提拔)(?:去|做|当|成|为|到)+了?(?:一[名个位])?{_JOB}{_END}"
    ),
    _rule("employer", rf"(?:现在|目前|正)?在{_ORGANISATION}(?:上班|工作|任职|实习|就职){_END}", one=False),
    _rule(
        "employer",
        rf"(?:刚|刚刚|已经|最近|换工作)*+(?:跳槽(?:到|去)了?|入职了?|加入了?|换到了?){_ORGANISATION}{_END}",
        one=False,
    ),
    _rule(
        "school", rf"(?:现在|目前|正)?在{_SCHOOL}(?:读书|上学|念书|读研|读博|读本科|就读|上[大小中]学){_END}", one=False
    ),
    _rule("school", rf"(?:就读于|考上了?){_SCHOOL}{_END}", one=False),
    _rule("education", rf"(?:是)?(?:毕业于{_SCHOOL}|从{_SCHOOL.replace('value', 'school')}毕业){_END}", one=False),
    _rule("major", r"(?:的)?(?:专业是|读的?是?|学的?是?|主修)(?P<value>[\u4e00-\u9fff]{2,8}?)(?:专业)"),
    _rule("marital status", rf"(?:已经|刚|现在)*+(?P<value>结婚|离婚|订婚|单身|未婚|已婚|离异){_END}"),
    _rule("allergy", rf"对(?!.*[不没]){_THING}(?:有点|严重|重度|轻微|也|会)*+过敏{_END}", value=YES),
    _rule("allergy", rf"对{_THING}(?:已经|现在)?(?:不(?:再|会)?|没有?)过敏{_END}", value=NO),
    _rule(
        "allergy",
        rf"(?:有)?(?P<topic>花生|海鲜|牛奶|鸡蛋|坚果|花粉|青霉素|尘螨|芒果|酒精|乳糖)(?:过敏|不耐受?){_END}",
        value=YES,
    ),
    _rule(
        "health",
        r"(?:一直|从小|最近|前段时间)*+(?:有|得了?|患有?|患上了?|确诊了?|查出了?|被诊断出?(?:为|患有"
        rf"|有)?)(?:严重的|轻微的|轻度|重度|点)?{_DISEASE}{_END}",
        value=YES,
    ),
    _rule("health", rf"(?P<topic>怀孕|失眠|近视){_END}", value=YES),
    _rule("blood type", r"(?:的)?(?:血型是?|是)(?P<value>[ABO]{1,2}|[ABO]{1,2}型)(?:血)?"),
    _rule("height", r"(?:的)?身高(?:是)?(?P<value>\d{3}(?:cm|厘米|公分)?|一米[\u4e00-\u9fff\d]{1,2}|1[米.]\d{1,2}米?)"),
    _rule("weight", r"(?:的)?(?:体重|现在)(?:是)?(?P<value>\d{2,3}(?:\.\d)?(?:公斤|斤|kg|千克))" + _END),
    _rule(
        "diet",
        rf"(?:现在|已经|一直|开始)*+(?:是|吃)?(?:个)?(?:素食主义者?|素食者?|吃素|素|蛋奶素|纯素)(?:者)?{_END}",
        value="vegetarian",
    ),
    _rule("habit", rf"(?:已经|终于|成功)*+(?:戒了?|不(?:再)?抽)(?P<topic>烟){_END}", value=NO),
    _rule("habit", r"(?:平时|偶尔|经常|每天|一直)*+(?:抽|吸)(?P<topic>烟)", value=YES),
    _rule(
        "diet",
        rf"{_RELATIVE_DAY}(?:平时|现在|已经|从来|从|一直|再也|都)*+(?:不再?|不能|不敢|不可以|没法"
        rf"|不爱)(?:吃|喝){_FOOD}{_END}",
        value=NO,
    ),
    _rule("diet", rf"{_RELATIVE_DAY}(?:已经|终于|决定)*+(?:戒掉?了?|戒)(?!烟|毒|赌){_FOOD}{_END}", value=NO),
    _rule("diet", rf"{_RELATIVE_DAY}(?:又|现在|已经)*+(?:可以|能|开始|恢复)(?:吃|喝){_FOOD}{_END}", value=YES),
    _rule(
        "favourite",
        r"(?:最)(?:喜欢|爱|常)(?:吃|喝|看|听|玩|去|用)?的(?P<topic>[\u4e00-\u9fff]{1,6}?)(?:就"
        r"|一直)?是(?P<value>[^，。！？]{1,16})",
    ),
    _rule(
        "likes",
        rf"{_RELATIVE_DAY}{_MANY}(?:喜欢上?|热爱|酷爱|钟爱|偏爱|爱上?|迷上|沉迷){_ENJOYED}(?!人|情){_THING}{_END}",
        value=LIKE,
    ),
    _rule("likes", rf"(?:的)?(?:兴趣)?爱好(?:就)?是{_ENJOYED}{_THING}{_END}", value=LIKE),
    _rule("likes", rf"对(?!.*[不没]){_THING}{_MANY}感兴趣{_END}", value=LIKE),
    _rule(
        "likes",
        rf"{_RELATIVE_DAY}(?:其实|一直|现在|已经|真的|都)*+(?:不太|不怎么|不是很|不是特别|并不|不再|不"
        rf"|没那么)(?:喜欢|爱){_ENJOYED}{_THING}{_END}",
        value=DISLIKE,
    ),
    _rule("likes", rf"{_RELATIVE_DAY}{_MANY}(?:讨厌|厌恶|反感|受不了|怕){_ENJOYED}{_THING}{_END}", value=DISLIKE),
    _rule("likes", rf"对{_THING}{_MANY}(?:不感兴趣|没(?:有)?兴趣){_END}", value=DISLIKE),
    _rule("languages", rf"(?:只|也|还)?会(?:说|讲|一点)?{_LANGUAGE}{_END}", value=YES),
    _rule("languages", rf"(?:完全)?不会(?:说|讲)?{_LANGUAGE}{_END}", value=NO),
    _rule("native language", r"(?:的)?母语是(?P<value>[\u4e00-\u9fff]{1,3}(?:语|文|话))"),
    _rule(
        "tools",
        r"(?:现在|平时|主要|一直|一般|都|改)*+用(?P<value>[^，。！？了过的]{1,16}?)(?P<topic>写代码|编程"
        r"|开发|办公|写作|记笔记|做笔记|剪视频|画图|做表格|听歌|背单词|记账|上班|通勤)" + _END,
    ),
    _rule("tools", r"(?:现在|已经|早就)*+不(?:再)?用(?P<topic>[^，。！？了过的]{1,12}?)了", value=NO),
    _rule(
        "tools",
        r"(?:的)?(?P<topic>技术栈|编辑器|操作系统|手机|电脑|车|浏览器|输入法|开发环境|数据库)(?:是"
        r"|用的?是?|换成了?|改成了?|换了)(?P<value>[^，。！？]{1,30})",
        one=False,
    ),
    _rule(
        "contact",
        r"(?:的)?(?:新|现在的)?(?:电话|手机号?|电话号码|手机号码|联系方式|联系电话)(?:号)?(?:是|为|改成了?"
        r"|换成了?|：|:)(?P<value>[+\d][\d -]{5,18}\d)",
        topic="phone",
    ),
    *(
        _rule(
            "contact",
            rf"(?:的)?(?:新|现在的)?(?:{words})(?:地址)?(?:是|为|改成了?|换成了?|：|:)(?P<value>[A-Za-z0-9_.@+-]{{4,38}})了?",
            topic=topic,
        )
        for topic, words in (("email", "(?:电子)?邮箱|(?:电子)?邮件"), ("wechat", "微信号?"), ("qq", "QQ号?"))
    ),
    _rule(
        "habit",
        r"(?P<value>每(?:天|周|个?月|晚|早|周末|年|个周末)[^，。！？去都会坚持要]{0,8}?)(?:都|会|要|坚持"
        r"|去)*+(?P<topic>跑步|健身|游泳|瑜伽|练瑜伽|冥想|写日记|散步|遛狗|打坐|骑车|爬山|打球|打篮球"
        r"|踢足球|读书|看书|练琴|午睡|喝咖啡|喝茶)",
    ),
)
LABELLED = re.compile(r"(?P<topic>技术栈|编辑器|操作系统|开发环境|数据库)[:：]\s*(?P<value>[^，。！？\n]{1,38})")
"""技术栈: FastAPI+PostgreSQL says it of the speaker without a word for the speaker."""
