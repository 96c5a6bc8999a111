"""What every storage engine is made of: the rows of a record, the index that searches run on, calls and wake-ups.

An engine in `adapters/` brings the database: tables, transactions, locks. What is here knows no database, so that two
engines cannot come to different answers.
"""
