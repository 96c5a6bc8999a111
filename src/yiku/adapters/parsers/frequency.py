"""How much does a reading of unknown bytes look like text that somebody wrote?

Bytes of one encoding are often valid in another, where they make characters that nobody writes. The most frequent
characters of Chinese, Japanese and Korean make up most of any text, a few hundred of them are enough to tell even two
characters from an accident.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

_CHINESE = frozenset(
    "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经十三"
    "之进着等部度家电力里如水化高自二理起小物现实加量都两体制机当使点从业本去把性好应开它合还因由其些然前外天政四日那社义事平形相全表间样"
    "与关各重新线内数正心反你明看原又么利比或但质气第向道命此变条只没结解问意建月公无系军很情者最立代想已通并提直题党程展五果料象员革位入常"
    "文总次品式活设及管特件长求老头基资边流路级少图山统接知较将组见计别她手角期根论运农指几九区强放决西被干做必战先回则任取据处队南给色光门"
    "即保治北造百规热领七海口东导器压志世金增争济阶油思术极交受联什认六共权收证改清己美再采转更单风切打白教速花带安场身车例真务具万每目至达走"
    "积示议声报斗完类八离华名确才科张信马节话米整空元况今集温传土许步群广石记需段研界拉林律叫且究观越织装影算低持音众书布复容儿须际商非验连断"
    "深难近矿千周委素技备半办青省列习响约支般史感劳便团往酸历市克何除消构府称太准精值号率族维划选标写存候毛亲快效斯院查江型眼王按格养易置派层"
    "片始却专状育厂京识适属圆包火住调满县局照参红细引听该铁价严首底液官德随病苏失尔死讲配女黄推显谈罪神艺呢席含企望密批营项防举球英氧势告李台"
    "落木帮轮破亚师围注远字材排供河态封另施减树溶怎止案言士均武固叶鱼波视仅费紧爱左章早朝害续轻服试食充兵源判护司足某练差致板田降黑犯负击范继"
    "兴似余坚曲输修故城夫够送笔船占右财吃富春职觉汉画功巴跟虽杂飞检吸助升阳互初创抗考投坏策古径换未跑留钢曾端责站简述钱副尽帝射草冲承独令限阿"
    "宣环双请超微让控州良轴找否纪益依优顶础载倒房突坐粉敌略客袁冷胜绝析块剂测丝协诉念陈仍罗盐友洋错苦夜刑移频逐靠混母短皮终聚汽村云哪既距卫停"
    "烈央察烧迅境若印洲刻括激孔搞甚室待核校散侵吧甲游久菜味旧模湖货损预阻毫普稳乙妈植息扩银语挥酒守拿序纸医缺雨吗针刘啊急唱误训愿审附获茶鲜粮"
    "斤孩脱硫肥善龙演父渐血欢械掌歌沙刚攻谓盾讨晚粒乱燃矛乎杀药宁鲁贵钟煤读班伯香介迫句丰培握兰担弦蛋沉假穿执答乐谁顺烟缩征脸喜松脚困异免背星"
    "福买染井概慢怕磁倍祖皇促静补评翻肉践尼衣宽扬棉希伤操垂秋宜氢套督振架亮末宪庆编牛触映雷销诗座居抓裂胞呼娘景威绿晶厚盟衡鸡孙延危胶屋乡临陆"
    "顾掉呀灯岁措束耐剧玉赵跳哥季课凯胡额款绍卷齐伟蒸殖永宗苗川炉岩弱零杨奏沿露杆探滑镇饭浓航怀赶库夺伊灵税途灭赛归召鼓播盘裁险康唯录菌纯借糖"
    "测试姓名手册产品说明公告部门电话地址备注编号日期数量金额合计"
)
_TRADITIONAL = frozenset(
    "這個國們來時為會說對過學發後還點經開動實現當從業應問題進種體機關長東車書見電話請讓與無頭樣氣幾間馬語門義軍總員區務勞標變據認論師實驗號單"
    "張將邊記處設計測試簡繁轉換統網際網路資訊軟體檔案內容確認結構環境數據庫處理運運動際產類報導團隊聲親愛聽講寫讀買賣錢銀開關閉舊證權經濟創歷史"
    "傳組織專業護歐亞臺灣灣鄉縣萬億歲樂觀漢華農態勢響應較級連達選擇遠適遲郵釋鐵錄鋼鎮陽陰隨雖難雲須預頂項順領頻顧飛飯館驚鳥魚黃齊龍衛裝補複規"
)
_JAPANESE = frozenset("のはをにがとでたしてるなれさいすもあからまこそ名前年齢住所日本語東京都市区町村様円")
_KOREAN = frozenset(
    "이다는에의가을한고하지로도를은기사인대자시정어서아나스부일수리그해있었라전보관과만들장제공교문원주구상성비무안동국여으면할되된위개조경선적화"
    "게중러소회유우행당내신세발음니습까했합명단생용모오거물진연금영방재"
)
_FREQUENT = _CHINESE | _TRADITIONAL | _JAPANESE
_PUNCTUATION = frozenset("，。、；：？！“”‘’（）《》〈〉【】「」『』—…·　０１２３４５６７８９％￥～")
_TYPOGRAPHY = frozenset("‘’“”–—…•€£©®°«»§¿¡·")

_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
_FREQUENT_WEIGHT, _KNOWN_WEIGHT, _RARE_WEIGHT, _IMPOSSIBLE_WEIGHT = 3.0, 1.0, -1.0, -8.0


def weight(text: str, encoding: str, characters_max: int) -> float:
    """The sum over all that is not ASCII: ASCII reads the same in every encoding that comes into question."""
    runs = _BEYOND_ASCII.findall(text)
    if encoding == "cp1252":
        return sum(map(_western, runs)) + _controls(text)
    counts = Counter("".join(runs)[:characters_max])
    return sum(_eastern(character, encoding) * count for character, count in counts.items()) + _controls(text)


def share_of_letters(text: str) -> float:
    """How many of the characters are ASCII text or common in the East; a text cut in the wrong places has few."""
    counts = Counter(text)
    good = sum(count for character, count in counts.items() if " " <= character <= "~" or character in "\t\r\n")
    good += sum(count for character, count in counts.items() if character in _FREQUENT or character in _PUNCTUATION)
    return good / max(1, len(text))


def _western(run: str) -> float:
    """Accented letters stand alone among plain ones; long runs of them are somebody else's characters."""
    if len(run) > 2:
        return -1.0 * len(run)
    return sum(1.0 if character.isalpha() or character in _TYPOGRAPHY else -0.5 for character in run) / len(run)


def _eastern(character: str, encoding: str) -> float:
    if character in _PUNCTUATION or character in (_KOREAN if encoding == "euc-kr" else _FREQUENT):
        return _FREQUENT_WEIGHT
    if "\u3040" <= character <= "\u30ff":
        return _FREQUENT_WEIGHT if encoding == "shift_jis" else 0.0
    if "\uac00" <= character <= "\ud7a3":
        return _KNOWN_WEIGHT if encoding == "euc-kr" else _RARE_WEIGHT
    if "\u4e00" <= character <= "\u9fff":
        return _KNOWN_WEIGHT if _in_first_level(character, encoding) else _RARE_WEIGHT
    return _IMPOSSIBLE_WEIGHT if unicodedata.category(character) in {"Cc", "Cn", "Co", "Cs"} else _RARE_WEIGHT


def _in_first_level(character: str, encoding: str) -> bool:
    """The standards put the characters in daily use before the others."""
    bounds = {"gb18030": ("gb2312", 0xB0, 0xD7), "big5": ("big5", 0xA4, 0xC6), "shift_jis": ("cp932", 0x88, 0x97)}
    if encoding not in bounds:
        return encoding.startswith("utf-16") and _in_first_level(character, "gb18030")
    codec, first, last = bounds[encoding]
    try:
        return first <= character.encode(codec)[0] <= last
    except UnicodeEncodeError:
        return False


def _controls(text: str) -> float:
    return _IMPOSSIBLE_WEIGHT * sum(map(text.count, map(chr, (*range(9), *range(14, 32)))))
